import { iso6709, person, type Recipe, tagged, unixPath, windowsPath, withTags, written } from './recipe.ts';

// As written by a dashcam: a GPS receiver sentence for each range of time.
const track = (rows: [from: number, to: number, latitude: string, longitude: string][]) =>
  rows
    .map(
      ([from, to, latitude, longitude], i) =>
        `${i + 1}\n00:00:00,${from} --> 00:00:00,${to}\n$GPRMC,08183${i}.000,A,${latitude},N,${longitude},E,000.0,360.0,130998,011.3,E*62\n\n`,
    )
    .join('');
export const dashcamTrack = track([
  [100, 400, '4851.2944', '00217.6980'],
  [400, 800, '4851.3944', '00217.7980'],
]);

export const subtitles = '1\n00:00:00,100 --> 00:00:00,800\nMeet me at 48.858222, 2.294511, not at /home/ann/.\n\n';

/** Video and audio whose metadata reveals more than they show. */
export function leakyMedia(): Recipe[] {
  const coordinates = '48.858222, 2.294511, 35';
  return [
    tagged('clip.mp4', 'Apple key', [`-Keys:GPSCoordinates=${coordinates}`], 'META-POSITION'),
    tagged('clip.mp4', 'QuickTime user data', [`-UserData:GPSCoordinates=${coordinates}`], 'META-POSITION'),
    tagged('clip.mp4', 'iTunes tag', [`-ItemList:GPSCoordinates=${coordinates}`], 'META-POSITION'),
    tagged('clip.mp4', 'a coarse position', ['-Keys:GPSCoordinates=48.86, 2.29, 35'], 'META-POSITION-COARSE'),
    tagged('clip.mp4', 'place name', ['-Keys:LocationName=Home'], 'META-PLACE-NAME'),
    tagged('clip.mp4', 'author', [`-Keys:Author=${person}`], 'META-PERSON-NAME'),
    tagged('clip.mp4', 'creator in XMP', [`-XMP-dc:Creator=${person}`], 'META-PERSON-NAME'),
    tagged('clip.mp4', 'path of the project', [`-XMP-dc:Source=${windowsPath}`], 'META-FILE-PATH'),
    tagged(
      'clip.mp4',
      '3GPP location box with a name',
      ['-UserData:LocationInformation=Home Role=0 Lat=48.85822 Lon=2.29451 Alt=10'],
      'META-POSITION',
      'META-PLACE-NAME',
    ),
    written('clip.mp4', '3GPP location box', { location: iso6709 }, 'META-POSITION'),
    written('clip.mp4', '3GPP location box, coarse', { location: '+48.85+002.29/' }, 'META-POSITION-COARSE'),
    written('clip.mp4', 'path in the comment', { comment: windowsPath }, 'META-FILE-PATH'),
    written('clip.mov', '©xyz', { location: iso6709 }, 'META-POSITION'),
    written('clip.mov', 'author', { author: person }, 'META-PERSON-NAME'),
    {
      label: 'a GPS track',
      filename: 'clip.mov',
      from: 'clip.mov',
      ffmpeg: ['-i', 'FOLDER/track.srt', '-map', '0', '-map', '1', '-c', 'copy', '-c:s', 'mov_text'],
      expected: ['META-POSITION'],
    },
    tagged('clip.m4v', 'Apple key', [`-Keys:GPSCoordinates=${coordinates}`], 'META-POSITION'),
    written('clip.3gp', '3GPP location box', { location: iso6709 }, 'META-POSITION'),
    written('clip.mkv', 'location', { location: iso6709 }, 'META-POSITION'),
    written(
      'clip.mkv',
      'location in degrees, minutes and seconds',
      { location: '+485129.6+0021740.2/' },
      'META-POSITION',
    ),
    written('clip.mkv', 'location by name', { location: 'Rue Example 7' }, 'META-PLACE-NAME'),
    written('clip.mkv', 'author and owner', { author: person, owner: person }, 'META-PERSON-NAME'),
    written('clip.mkv', 'path', { comment: unixPath }, 'META-FILE-PATH'),
    written('clip.webm', 'location', { location: iso6709 }, 'META-POSITION'),
    written('clip.avi', 'path in the comment', { comment: windowsPath }, 'META-FILE-PATH'),
    {
      label: 'path in a user comment',
      filename: 'clip.mxf',
      from: 'clip.mxf',
      ffmpeg: ['-store_user_comments', '1', ...withTags({ comment_note: windowsPath })],
      expected: ['META-FILE-PATH'],
    },
    written('tone.mp3', 'location', { location: iso6709 }, 'META-POSITION'),
    {
      label: 'cover art with a position',
      filename: 'tone.mp3',
      from: 'tone.mp3',
      ffmpeg: ['-i', 'FOLDER/photo.jpg', '-map', '0', '-map', '1', '-c', 'copy', '-disposition:v', 'attached_pic'],
      expected: ['META-POSITION'],
    },
    written('tone.mp3', 'owner', { TOWN: person }, 'META-PERSON-NAME'),
    written('tone.mp3', 'path', { comment: windowsPath }, 'META-FILE-PATH'),
    tagged('tone.m4a', 'recording location', [`-Keys:GPSCoordinates=${coordinates}`], 'META-POSITION'),
    tagged('tone.m4a', 'author', [`-ItemList:Author=${person}`], 'META-PERSON-NAME'),
    tagged('tone.m4a', 'account of the buyer', ['-ItemList:AppleStoreAccount=ann@example.com'], 'META-CONTACT'),
    written('tone.flac', 'location', { location: '48.858222, 2.294511' }, 'META-POSITION'),
    written(
      'tone.flac',
      'author and path',
      { author: person, comment: unixPath },
      'META-PERSON-NAME',
      'META-FILE-PATH',
    ),
    written('tone.ogg', 'location', { location: iso6709 }, 'META-POSITION'),
    written('tone.opus', 'owner', { owner: person }, 'META-PERSON-NAME'),
    written('tone.aiff', 'author', { author: person }, 'META-PERSON-NAME'),
    written('tone.wav', 'path', { comment: windowsPath }, 'META-FILE-PATH'),
    {
      label: 'location that only the second reader finds',
      filename: 'tone.aac',
      from: 'tone.aac',
      ffmpeg: [...withTags({ location: iso6709 }), '-f', 'adts', '-write_id3v2', '1'],
      expected: ['META-POSITION'],
    },
  ];
}
