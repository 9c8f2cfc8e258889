// A house under the sky and a person beside it: shapes of several sizes, with sensor noise.
const sceneFilters = [
  'color=c=skyblue:s=960x640',
  'drawbox=x=0:y=400:w=960:h=240:c=darkgreen:t=fill',
  'drawbox=x=600:y=200:w=180:h=260:c=brown:t=fill',
  'drawbox=x=640:y=260:w=40:h=50:c=white:t=fill',
  'drawbox=x=120:y=300:w=60:h=160:c=black:t=fill',
  'drawbox=x=130:y=250:w=40:h=40:c=bisque:t=fill',
  'noise=alls=15:all_seed=7',
].join(',');
const smallScale = 'scale=160:107';

/** Maps file names to the filters that draw the images. Thumbnails show all of their image, a part of it, or more. */
export const imageFilters: Record<string, string> = {
  'scene.jpg': sceneFilters,
  'scene.png': sceneFilters,
  'scene.webp': sceneFilters,
  'scene.tiff': sceneFilters,
  'cropped.jpg': `${sceneFilters},crop=672:448:0:0`,
  'trimmed.jpg': `${sceneFilters},crop=iw*0.8:ih*0.8`,
  'narrowed.jpg': `${sceneFilters},crop=576:640:0:0`,
  'covered.jpg': `${sceneFilters},drawbox=x=110:y=240:w=110:h=90:c=gray:t=fill`,
  'other.jpg': 'testsrc2=s=960x640',
  'flat.jpg': 'color=c=gray:s=960x640',
  'thumbnail.jpg': `${sceneFilters},${smallScale}`,
  'thumbnail-brighter.jpg': `${sceneFilters},${smallScale},eq=brightness=0.1:contrast=1.2`,
  'thumbnail-sharper.jpg': `${sceneFilters},${smallScale},unsharp=5:5:1.5`,
  'thumbnail-in-bars.jpg': `${sceneFilters},${smallScale},pad=160:120:0:6`,
  'thumbnail-turned.jpg': `${sceneFilters},transpose=1,scale=107:160`,
  'thumbnail-square.jpg': `${sceneFilters},crop=640:640,scale=160:160`,
  'thumbnail-other.jpg': 'testsrc2=s=160x107',
  'thumbnail-flat.jpg': 'color=c=gray:s=160x107',
  'preview.jpg': `${sceneFilters},scale=640:427`,
};
