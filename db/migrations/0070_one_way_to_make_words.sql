-- The same for every spelling of a text, whatever the locale of the database: NFKD, lower case, without accents and invisible characters, with one kind of
-- dashes, quotes and digits. db/fold-text.test.ts compares each letter that has two cases.
create function fold_text(words text) returns text language plpgsql immutable strict parallel safe as $$
declare
  folded text := words;
begin
  if octet_length(folded) = length(folded) then
    return lower(folded collate "C");
  end if;
  -- Otherwise 1½ would become 11/2, and Grip™ Griptm.
  folded := regexp_replace(folded, '([\u00bc-\u00be\u2150-\u215f\u2189™℠])', ' \1', 'g');
  folded := normalize(folded, nfkd);
  -- A diameter, not the letter.
  folded := regexp_replace(folded, '(?<![A-Za-z\u00c0-\u024f])[Øø⌀∅](?=\s*[0-9])', '⌀ ', 'g');
  -- In upper case, an iota that stands below a letter stands beside it.
  folded := replace(folded, U&'\0345', 'ι');
  folded := regexp_replace(folded, '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0080-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]', '', 'g');
  folded := translate(folded,
      'øØłŁđĐðÐħĦŧŦıȷĸŋŊƒƑƀɃɨƗƶƵǥǤɇɆɉɈɍɌɏɎȼȻⱥȺⱦȾƚȽʉɄẞÆŒÞ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹߀߁߂߃߄߅߆߇߈߉०१२३४५६७८९০১২৩৪৫৬৭৮৯੦੧੨੩੪੫੬੭੮੯૦૧૨૩૪૫૬૭૮૯୦୧୨୩୪୫୬୭୮୯௦௧௨௩௪௫௬௭௮௯౦౧౨౩౪౫౬౭౮౯೦'
      '೧೨೩೪೫೬೭೮೯൦൧൨൩൪൫൬൭൮൯๐๑๒๓๔๕๖๗๘๙໐໑໒໓໔໕໖໗໘໙༠༡༢༣༤༥༦༧༨༩၀၁၂၃၄၅၆၇၈၉០១២៣៤៥៦៧៨៩᠐᠑᠒᠓᠔᠕᠖᠗᠘᠙‐‒–—―−⁃˗־‘’‚‛′‵ʹʻʼˈ׳‹›“”„‟«»״〝〞〟×✕✖⨯╳⁄∕٫   ⠀�·•',
      'oollddddhhttijknnffbbiizzggeejjrryyccaattlluußæœþ01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890'
      '1234567890123456789012345678901234567890123456789012345678901234567890123456789---------''''''''''''''''''''''''''""""""""""xxxxx//.       ');
  if folded ~ '[\u0100-\u058f]' then
    folded := translate(folded,
      'ƁƂƄƆƇƉƊƋƎƏƐƓƔƖƘƜƝƟƢƤƦƧƩƬƮƱƲƳƷƸƼǶǷȜȠȢȤɁɅɊͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖ'
      'ҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
      'ɓƃƅɔƈɖɗƌǝəɛɠɣɩƙɯɲɵƣƥʀƨʃƭʈʊʋƴʒƹƽƕƿȝƞȣȥɂʌɋͱͳͷϳαβγδεζηθικλμνξοπρστυφχψωσϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗ'
      'ҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ');
  end if;
  if folded ~ '[\u10a0-\u10cd\u13a0-\u13f5\u1c80-\u1cbf\u1efa-\u1efe\u2132\u2183\u2c00-\u2c2f\u2c60-\u2cf2\ua640-\ua69a\ua722-\ua7f5\U00010400-\U00010427\U000104b0-\U000104d3\U00010570-\U00010595\U00010c80-\U00010cb2\U00010d50-\U00010d65\U000118a0-\U000118bf\U00016e40-\U00016e5f\U00016ea0-\U00016eb8\U0001e900-\U0001e921]' then
    folded := translate(folded,
      'ႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲀᲁᲂᲃᲄᲅᲆᲇᲈᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝ'
      'ᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿỺỼỾℲↃⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢ'
      'ⳫⳭⳲꙀꙂꙄꙆꙈꙊꙌꙎꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐'
      '𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑𐵒𐵓𐵔'
      '𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡',
      'ⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽвдосттъѣꙋᲊაბგდევზთიკლმნო'
      'პჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿỻỽỿⅎↄⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣ'
      'ⳬⳮⳳꙁꙃꙅꙇꙉꙋꙍꙏꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸'
      '𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱𐵲𐵳𐵴'
      '𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃');
  end if;
  folded := lower(folded collate "C");
  if folded ~ '[ßæœþ]' then
    folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  end if;
  return replace(folded, '''''', '"');
end $$;

-- Makes the words of what is searched and of searches. Letters and digits are words apart; `joint` tells how a word and the next one belong together, and `glue` what
-- stands between them as one word: `glued` as in 12s and 31.8, `near` as in 12-speed and 12 x 148 mm, `joined` as in on/off. A `light` word means little, such as "the".
-- Signs are a word where a text or a word begins with them; a search for nothing but signs finds these.
create function cut_words(words text)
returns table (place integer, word text, stem text, light boolean, joint text, glue text)
language plpgsql immutable strict parallel safe as $$
#variable_conflict use_column
begin
  return query with folded as materialized (select fold_text(words) as text),
  plain as (
    select translate(case when octet_length(text) = length(text) then text else regexp_replace(text, '[\u0080-\u00bf\u00d7\u00f7\u02c2-\u02c5\u02d2-\u02df\u0375\u037e\u0384\u0385\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e3f\u0e4f\u0e5a\u0e5b\u1680\u2000-\u206f\u20a0-\u20cf\u2100-\u2131\u2133-\u2182\u2190-\u22ff\u2301-\u2bff\u2e00-\u2e7f\u2ff0-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30fb\ufd3e\ufd3f\ufe10-\ufe19\ufe30-\ufe6f\uff5f-\uff65\ufff0-\uffff\U0001f000-\U0001faff]', ' ', 'g') end, '{|}~', '    ') as text
    from folded
  ),
  pieces as (
    -- Without groups, which would take four times as long.
    select found.place, left(found.match[1], 60) collate "C" as piece,
      lead(found.match[1]) over pieces collate "C" as second, lead(found.match[1], 2) over pieces collate "C" as third
    from plain, regexp_matches(text, '[0-9]+|[^\u0001-\u0060]+|[\u0001-\u002f\u003a-\u0060]+', 'g') with ordinality as found (match, place)
    window pieces as (order by found.place)
  ),
  cut as (
    select place, piece as word, piece < ':' as is_number,
      case when second >= 'a' or second between '0' and '9~' then '' else second end as between_words,
      case when second >= 'a' or second between '0' and '9~' then second else third end as next
    from pieces where piece >= 'a' or piece between '0' and '9~'
  )
  select place::integer, translate(word, '⌀', 'o'), translate(coalesce(stems[1], word), '⌀', 'o'),
    word = '⌀' or coalesce(stems = '{}', false),
    case
      when next is null or word = '⌀' then null
      when is_number and next < ':' then case when between_words in ('.', ',') then 'glued' end
      when is_number <> (next < ':') and between_words = '' then 'glued'
      when is_number <> (next < ':') and length(between_words) <= 2 and (is_number or between_words <> ' ' or length(word) <= 3) then 'near'
      when not is_number and next >= ':' and length(between_words) <= 2 and strpos(between_words, ' ') = 0 then 'joined'
    end,
    case when is_number and next < ':' then '.' else '' end
  from cut, lateral (select case when not is_number then ts_lexize('english_stem', word) end as stems) as stemmed
  union all
  select (20000 + found.place)::integer, match[1], match[1], false, null, ''
  from folded, regexp_matches(text, '(?:^|\s)([\u0021-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u02c2-\u02c5\u02d2-\u02df\u0375\u037e\u0384\u0385\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e3f\u0e4f\u0e5a\u0e5b\u1680\u2000-\u206f\u20a0-\u20cf\u2100-\u2131\u2133-\u2182\u2190-\u22ff\u2301-\u2bff\u2e00-\u2e7f\u2ff0-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30fb\ufd3e\ufd3f\ufe10-\ufe19\ufe30-\ufe6f\uff5f-\uff65\ufff0-\uffff\U0001f000-\U0001faff]{1,20})', 'g') with ordinality as found (match, place);
end $$;

-- The same for names that differ only by case, accents, spaces and invisible characters. A space between digits counts: 1 11 is not 11 1. Long ones fit into an index.
create function name_key(name text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(key) > 1000 then md5(key) else key end
  from (select regexp_replace(btrim(regexp_replace(fold_text(name), '\s+', ' ', 'g')), '(?<![0-9]) | (?![0-9])', '', 'g') as key) as keys
$$;

-- Sorts names by their words, and numbers in them by value, in any collation: a number is preceded by its length, but not behind a decimal point.
create function name_order(name text) returns text language sql immutable strict parallel safe as $$
  select left(coalesce(string_agg(
    case
      when word ~ '^[0-9]' and before is distinct from '.' then to_char(length(ltrim(word, '0')), 'FM00') || ltrim(word, '0')
      else word
    end, ' ' order by place
  ), ''), 300)
  from (select place, word, lag(glue) over (order by place) as before from cut_words(name)) as cut
$$;

-- The words of a text with their weight: as they stand, by their stems, and, where up to six belong together, each with those that follow it as one word: 12s
-- finds 12-speed, and 12x148 finds 12 x 148 mm. One such as onoff of on/off weighs less, or a/b would precede an AB-wheel for ab. Light words and signs are kept
-- of names, of which they may be all there is.
create function weigh_words(words text, weight text, is_name boolean) returns tsvector
language plpgsql immutable strict parallel safe as $$
begin
  return (with cut as (
    select place, word, stem, light, joint,
      case when joint is not null then word || glue || lead(word) over following end as pair,
      case when lead(joint, 1) over following is not null then lead(glue, 1) over following || lead(word, 2) over following end as third,
      case when lead(joint, 2) over following is not null then lead(glue, 2) over following || lead(word, 3) over following end as fourth,
      case when lead(joint, 3) over following is not null then lead(glue, 3) over following || lead(word, 4) over following end as fifth,
      case when lead(joint, 4) over following is not null then lead(glue, 4) over following || lead(word, 5) over following end as sixth
    from cut_words(words)
    window following as (order by place)
  ),
  lexemes as (
    select place, lexeme, case when nr > 2 and joint = 'joined' and weight = 'A' then 'B' else weight end as weighed from cut, unnest(array[
      case when is_name or not light then word end,
      case when is_name or not light then stem end,
      pair,
      -- Whatever is added to null is null.
      coalesce(pair || third || fourth || fifth || sixth, pair || third || fourth || fifth, pair || third || fourth, pair || third)
    ]) with ordinality as made (lexeme, nr)
    where lexeme is not null and (is_name or place < 20000)
  )
  select coalesce(string_agg(
    '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''':' || case when place < 16000 then place else 1 end || weighed, ' '
  ), '')::tsvector
  from lexemes);
end $$;

-- The part number without punctuation is a word that begins with #; what follows its first letters, such as CN12 of WW-CN12, one that begins with ~.
create function weigh_part_words(
  name text, brand text, category text, short_description text, description text, part_number text
) returns tsvector language plpgsql immutable strict parallel safe as $$
begin
  return weigh_words(name, 'A', true) || weigh_words(brand || ' ' || category, 'B', true) || weigh_words(short_description, 'C', false)
    || weigh_words(description, 'D', false)
    || array_to_tsvector(array(
      select '#' || regexp_replace(upper(part_number collate "C"), '[^A-Z0-9]', '', 'g')
      union
      select '~' || regexp_replace(upper(substr(part_number, place) collate "C"), '[^A-Z0-9]', '', 'g')
      from generate_series(2, length(part_number)) as place
      where substr(part_number, place - 1, 1) ~ '[./-]' and length(part_number) - place >= 2
    ));
end $$;

-- For lists whose words have no rank.
create function cut_into_vector(words text) returns tsvector language plpgsql immutable strict parallel safe as $$
begin
  return array_to_tsvector(array(select word from cut_words(words)));
end $$;

-- A name is taken when another part has its key. Parts that had the same key before that was so keep theirs until they are renamed.
create function copy_part_to_words() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    delete from part_words where part_id = new.id;
    return null;
  end if;
  -- Making words takes a millisecond, and prices change by thousands.
  if tg_op = 'UPDATE' and (new.name, new.brand, new.category, new.short_description, new.description, new.part_number)
    is not distinct from (old.name, old.brand, old.category, old.short_description, old.description, old.part_number) then
    update part_words set per_unit_price = new.per_unit_price, min_quantity = new.min_quantity, available = new.available
    where part_id = new.id;
    if found then
      return null;
    end if;
  end if;
  insert into part_words as stored (number, per_unit_price, min_quantity, available, brand, category, name, part_id, name_key, name_order, words)
    values (new.number, new.per_unit_price, new.min_quantity, new.available, new.brand, new.category, new.name, new.id,
      name_key(new.name), name_order(new.name),
      weigh_part_words(new.name, new.brand, new.category, new.short_description, new.description, new.part_number))
    on conflict (part_id) do update set per_unit_price = excluded.per_unit_price, min_quantity = excluded.min_quantity,
      available = excluded.available, brand = excluded.brand, category = excluded.category, name = excluded.name,
      name_key = case when stored.name = excluded.name then stored.name_key else excluded.name_key end,
      name_order = excluded.name_order, words = excluded.words;
  insert into facet_names
    select name, name_key(name) from unnest(array[new.brand, new.category]) as name where name <> '' order by name
  on conflict do nothing;
  return null;
end $$;

-- What searches read of each part that is not deleted, like part_search, which stays for processes of the version before.
create table part_words (
  number bigint not null,
  per_unit_price integer not null,
  min_quantity integer not null,
  available boolean not null,
  brand text not null,
  category text not null,
  name text not null,
  part_id text primary key references parts on delete cascade,
  name_key text not null,
  name_order text collate "C" not null,
  words tsvector not null
) with (fillfactor = 90, parallel_workers = 0);

-- Brands and categories as they were written, for the facet of each key. One that no part has any more finds nothing.
create table facet_names (name text primary key, key text not null);

create trigger add_part_to_words after insert on parts for each row execute function copy_part_to_words();
create trigger change_words_of_part after update of
    name, short_description, description, brand, category, min_quantity, multiple, per_unit_price, part_number, deleted_at
  on parts for each row execute function copy_part_to_words();
create trigger sell_out_words_of_part after update of available_quantity on parts for each row
  when (old.available is distinct from new.available) execute function copy_part_to_words();

-- Of parts with the same key, the first one has it. The others keep their names until they are renamed.
insert into part_words (number, per_unit_price, min_quantity, available, brand, category, name, part_id, name_key, name_order, words)
  select number, per_unit_price, min_quantity, available, brand, category, name, id,
    case when row_number() over (partition by key order by number) = 1 then key else key || ' ' || id end, name_order(name),
    weigh_part_words(name, brand, category, short_description, description, part_number)
  from parts, lateral (select name_key(name) as key) as keys
  where deleted_at is null order by number;
create unique index part_words_name on part_words (name_key);
create index part_words_words on part_words using gin (words);
create index part_words_name_order on part_words (name_order, name collate "C", number);

insert into facet_names
  select name, name_key(name) from (select brand from parts union select category from parts) as names (name) where name <> '';
create index facet_names_key on facet_names (key);

insert into search_words
  select distinct word from parts, cut_words(concat_ws(' ', name, brand, category, short_description)) as cut
  where length(word) >= 3 and not light and place < 20000 and word !~ '^[0-9]'
on conflict do nothing;

create index messages_cut_words on messages using gin (cut_into_vector(name || ' ' || email || ' ' || message));
