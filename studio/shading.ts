import { ShaderChunk } from 'three'

/**
 * Changes how three.js shades. Lights shine on what is matt, while mirrors show only the surroundings: from many
 * positions of a light they would show as many dots. And surroundings that the dome's light does not reach from a
 * place are not mirrored there; over all passes that is as much as is hidden around the mirrored direction.
 */
export function shadeLikeAStudio() {
  patch('lights_physical_pars_fragment', [
    [
      'reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;',
      '',
    ],
    [/clearcoatSpecularDirect \+= ccIrradiance \* BRDF_GGX_Clearcoat\(.*\);/, ''],
  ])
  // The soft boxes are near: a plane mirrors another of their parts at its left than at its right.
  patch('envmap_physical_pars_fragment', [
    [
      'vec3 reflectVec = reflect( - viewDir, normal );',
      'vec3 reflectVec = reflect( - viewDir, normal ) - 1.5 * vec3( vViewPosition.xy / vViewPosition.z, 0.0 );',
    ],
  ])
  // One look at the shadow map a pass, somewhere around the place, as the passes make it soft.
  patch('shadowmap_pars_fragment', [
    [
      /float phi = interleavedGradientNoise\([^;]*;\s*shadow = \([^;]*;/,
      `float noise = interleavedGradientNoise( gl_FragCoord.xy + 5570.0 * shadowRadius );
      vec2 off = sqrt( fract( 57.0 * noise ) ) * vec2( cos( noise * PI2 ), sin( noise * PI2 ) );
      shadow = texture( shadowMap, vec3( shadowCoord.xy + off * radius, shadowCoord.z ) );`,
    ],
  ])
  patch('lights_fragment_begin', [
    [/^/, 'float hidden = 0.0; vec3 hiddenFrom = vec3( 0.0 );\n'],
    [
      /(directionalLight = directionalLights\[ i \];[\s\S]*?)(RE_Direct\( directLight,)/,
      `$1
      #if UNROLLED_LOOP_INDEX == 1
      hiddenFrom = directLight.direction;
      hidden = 1.0 - directLight.color.r / directionalLight.color.r;
      #endif
      $2`,
    ],
  ])
  patch('lights_fragment_end', [
    [
      '#if defined( RE_IndirectDiffuse )',
      `#if defined( RE_IndirectSpecular ) && defined( USE_SHADOWMAP )
      float facing = dot( geometryNormal, hiddenFrom );
      hidden *= facing > 0.0 ? 1.0 : 0.35;
      float along = max( dot( reflect( - geometryViewDir, geometryNormal ), hiddenFrom ), 0.0 );
      float unmirrored = hidden * ( 0.3 + 1.4 * along * along );
      radiance *= 1.0 - unmirrored;
      clearcoatRadiance *= 1.0 - unmirrored;
      iblIrradiance *= 1.0 - 0.9 * hidden;
      #endif
      #if defined( RE_IndirectDiffuse )`,
    ],
  ])
}

function patch(name: keyof typeof ShaderChunk, changes: Change[]) {
  ShaderChunk[name] = exchanged(ShaderChunk[name], changes)
}

type Change = [old: string | RegExp, now: string]

/** A shader with parts of it exchanged. Another three.js may not have them: then there is no picture. */
export function exchanged(shader: string, changes: Change[]) {
  return changes.reduce((text, [old, now]) => {
    const changed = text.replace(old, now)
    if (changed === text) throw new Error(`This version of three.js doesn't have the shader code: ${old}`)
    return changed
  }, shader)
}
