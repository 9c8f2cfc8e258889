import {
  iso6709,
  person,
  type Recipe,
  taggedByExiftool,
  taggedByFfmpeg,
  unixPath,
  windowsPath,
  withTags,
} from './recipe.ts';

// Subtitles as a dashcam writes them: one GPS receiver sentence (NMEA 0183) for each time range.
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
    taggedByExiftool('clip.mp4', 'Apple key', [`-Keys:GPSCoordinates=${coordinates}`], 'META-POSITION'),
    taggedByExiftool('clip.mp4', 'QuickTime user data', [`-UserData:GPSCoordinates=${coordinates}`], 'META-POSITION'),
    taggedByExiftool('clip.mp4', 'iTunes tag', [`-ItemList:GPSCoordinates=${coordinates}`], 'META-POSITION'),
    taggedByExiftool('clip.mp4', 'a coarse position', ['-Keys:GPSCoordinates=48.86, 2.29, 35'], 'META-POSITION-COARSE'),
    taggedByExiftool('clip.mp4', 'place name', ['-Keys:LocationName=Home'], 'META-PLACE-NAME'),
    taggedByExiftool('clip.mp4', 'author', [`-Keys:Author=${person}`], 'META-PERSON-NAME'),
    taggedByExiftool('clip.mp4', 'creator in XMP', [`-XMP-dc:Creator=${person}`], 'META-PERSON-NAME'),
    taggedByExiftool('clip.mp4', 'path of the project', [`-XMP-dc:Source=${windowsPath}`], 'META-FILE-PATH'),
    taggedByExiftool(
      'clip.mp4',
      '3GPP location box with a name',
      ['-UserData:LocationInformation=Home Role=0 Lat=48.85822 Lon=2.29451 Alt=10'],
      'META-POSITION',
      'META-PLACE-NAME',
    ),
    taggedByFfmpeg('clip.mp4', '3GPP location box', { location: iso6709 }, 'META-POSITION'),
    taggedByFfmpeg('clip.mp4', '3GPP location box, coarse', { location: '+48.85+002.29/' }, 'META-POSITION-COARSE'),
    taggedByFfmpeg('clip.mp4', 'path in the comment', { comment: windowsPath }, 'META-FILE-PATH'),
    taggedByFfmpeg('clip.mov', '©xyz', { location: iso6709 }, 'META-POSITION'),
    taggedByFfmpeg('clip.mov', 'author', { author: person }, 'META-PERSON-NAME'),
    {
      label: 'a GPS track',
      filename: 'clip.mov',
      from: 'clip.mov',
      ffmpeg: ['-i', 'FOLDER/track.srt', '-map', '0', '-map', '1', '-c', 'copy', '-c:s', 'mov_text'],
      expected: ['META-POSITION'],
    },
    taggedByExiftool('clip.m4v', 'Apple key', [`-Keys:GPSCoordinates=${coordinates}`], 'META-POSITION'),
    taggedByFfmpeg('clip.3gp', '3GPP location box', { location: iso6709 }, 'META-POSITION'),
    taggedByFfmpeg('clip.mkv', 'location', { location: iso6709 }, 'META-POSITION'),
    taggedByFfmpeg(
      'clip.mkv',
      'location in degrees, minutes and seconds',
      { location: '+485129.6+0021740.2/' },
      'META-POSITION',
    ),
    taggedByFfmpeg('clip.mkv', 'location by name', { location: 'Rue Example 7' }, 'META-PLACE-NAME'),
    taggedByFfmpeg('clip.mkv', 'author and owner', { author: person, owner: person }, 'META-PERSON-NAME'),
    taggedByFfmpeg('clip.mkv', 'path', { comment: unixPath }, 'META-FILE-PATH'),
    taggedByFfmpeg('clip.webm', 'location', { location: iso6709 }, 'META-POSITION'),
    taggedByFfmpeg('clip.avi', 'path in the comment', { comment: windowsPath }, 'META-FILE-PATH'),
    {
      label: 'path in a user comment',
      filename: 'clip.mxf',
      from: 'clip.mxf',
      ffmpeg: ['-store_user_comments', '1', ...withTags({ comment_note: windowsPath })],
      expected: ['META-FILE-PATH'],
    },
    taggedByFfmpeg('tone.mp3', 'location', { location: iso6709 }, 'META-POSITION'),
    {
      label: 'cover art with a position',
      filename: 'tone.mp3',
      from: 'tone.mp3',
      ffmpeg: ['-i', 'FOLDER/photo.jpg', '-map', '0', '-map', '1', '-c', 'copy', '-disposition:v', 'attached_pic'],
      expected: ['META-POSITION'],
    },
    taggedByFfmpeg('tone.mp3', 'owner', { TOWN: person }, 'META-PERSON-NAME'),
    taggedByFfmpeg('tone.mp3', 'path', { comment: windowsPath }, 'META-FILE-PATH'),
    taggedByExiftool('tone.m4a', 'recording location', [`-Keys:GPSCoordinates=${coordinates}`], 'META-POSITION'),
    taggedByExiftool('tone.m4a', 'author', [`-ItemList:Author=${person}`], 'META-PERSON-NAME'),
    taggedByExiftool(
      'tone.m4a',
      'account of the buyer',
      ['-ItemList:AppleStoreAccount=ann@example.com'],
      'META-CONTACT',
    ),
    taggedByFfmpeg('tone.flac', 'location', { location: '48.858222, 2.294511' }, 'META-POSITION'),
    taggedByFfmpeg(
      'tone.flac',
      'author and path',
      { author: person, comment: unixPath },
      'META-PERSON-NAME',
      'META-FILE-PATH',
    ),
    taggedByFfmpeg('tone.ogg', 'location', { location: iso6709 }, 'META-POSITION'),
    taggedByFfmpeg('tone.opus', 'owner', { owner: person }, 'META-PERSON-NAME'),
    taggedByFfmpeg('tone.aiff', 'author', { author: person }, 'META-PERSON-NAME'),
    taggedByFfmpeg('tone.wav', 'path', { comment: windowsPath }, 'META-FILE-PATH'),
    {
      label: 'location that only the second reader finds',
      filename: 'tone.aac',
      from: 'tone.aac',
      ffmpeg: [...withTags({ location: iso6709 }), '-f', 'adts', '-write_id3v2', '1'],
      expected: ['META-POSITION'],
    },
  ];
}
