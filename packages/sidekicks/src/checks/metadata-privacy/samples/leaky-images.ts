import type { RuleCode } from '../rules.ts';
import { appleNotes, canonNotes, withMakerNotes } from './make-exif.ts';
import {
  exactPosition,
  fileOfBytes,
  person,
  position,
  type Recipe,
  taggedByExiftool,
  unixPath,
  windowsPath,
} from './recipe.ts';

/** Images whose metadata reveals more than they show. */
export function leakyImages(sample: (name: string) => Uint8Array): Recipe[] {
  const jpeg = (label: string, exiftool: string[], ...expected: RuleCode[]) =>
    taggedByExiftool('still.jpg', label, exiftool, ...expected);
  return [
    jpeg('GPS', exactPosition, 'META-POSITION'),
    jpeg('GPS south and west', position('33.85678', 'S', '70.65123', 'W'), 'META-POSITION'),
    jpeg('GPS to three decimals', position('48.858', 'N', '2.29', 'E'), 'META-POSITION'),
    jpeg('GPS to two decimals', position('48.86', 'N', '2.29', 'E'), 'META-POSITION-COARSE'),
    jpeg('GPS to whole minutes', position('48 50 0', 'N', '2 20 0', 'E'), 'META-POSITION-COARSE'),
    jpeg('GPS in XMP', ['-XMP:GPSLatitude=48.858222', '-XMP:GPSLongitude=2.294511'], 'META-POSITION'),
    jpeg(
      'GPS in EXIF and XMP is one finding',
      [...exactPosition, '-XMP:GPSLatitude=48.858222', '-XMP:GPSLongitude=2.294511'],
      'META-POSITION',
    ),
    jpeg(
      'the exact position beside a coarse one',
      [...position('48.86', 'N', '2.29', 'E'), '-XMP:GPSLatitude=48.858222', '-XMP:GPSLongitude=2.294511'],
      'META-POSITION',
    ),
    jpeg(
      'GPS of the destination',
      ['-GPSDestLatitude=48.85822', '-GPSDestLatitudeRef=N', '-GPSDestLongitude=2.2945', '-GPSDestLongitudeRef=E'],
      'META-POSITION',
    ),
    jpeg(
      'a position in IPTC Extension',
      ['-XMP-iptcExt:LocationCreatedGPSLatitude=48.85822', '-XMP-iptcExt:LocationCreatedGPSLongitude=2.29451'],
      'META-POSITION',
    ),
    jpeg('a town in IPTC', ['-IPTC:City=Paris'], 'META-PLACE-NAME'),
    jpeg('a street in IPTC', ['-IPTC:Sub-location=Rue Example 7'], 'META-PLACE-NAME'),
    jpeg('a town in XMP', ['-XMP-photoshop:City=Paris'], 'META-PLACE-NAME'),
    jpeg('a street in XMP', ['-XMP-iptcCore:Location=Rue Example 7'], 'META-PLACE-NAME'),
    jpeg('a place in IPTC Extension', ['-XMP-iptcExt:LocationCreatedSublocation=Pier 3'], 'META-PLACE-NAME'),
    jpeg('a place shown', ['-XMP-iptcExt:LocationShownCity=Paris'], 'META-PLACE-NAME'),
    jpeg('serial number', ['-ExifIFD:SerialNumber=012345678901'], 'META-SERIAL-NUMBER'),
    jpeg('serial number of the lens', ['-ExifIFD:LensSerialNumber=LX-7700123'], 'META-SERIAL-NUMBER'),
    jpeg('serial number in XMP', ['-XMP-aux:SerialNumber=7700123'], 'META-SERIAL-NUMBER'),
    jpeg('owner', [`-ExifIFD:OwnerName=${person}`], 'META-PERSON-NAME'),
    jpeg('owner in XMP', [`-XMP-aux:OwnerName=${person}`], 'META-PERSON-NAME'),
    jpeg('artist', [`-IFD0:Artist=${person}`], 'META-PERSON-NAME'),
    jpeg('creator', [`-XMP-dc:Creator=${person}`], 'META-PERSON-NAME'),
    jpeg('creator in another script', ['-XMP-dc:Creator=例 太郎'], 'META-PERSON-NAME'),
    jpeg('by-line', [`-IPTC:By-line=${person}`], 'META-PERSON-NAME'),
    jpeg('author in the Windows tag', [`-IFD0:XPAuthor=${person}`], 'META-PERSON-NAME'),
    jpeg('caption writer', [`-XMP-photoshop:CaptionWriter=${person}`], 'META-PERSON-NAME'),
    jpeg('person shown', [`-XMP-iptcExt:PersonInImage=${person}`], 'META-PERSON-NAME'),
    jpeg('a named face', ['-RegionInfo={RegionList=[{Name=Ann,Type=Face}]}'], 'META-PERSON-NAME'),
    jpeg(
      'a named face after a named pet',
      ['-RegionInfo={RegionList=[{Name=Rex,Type=Pet},{Name=Ann,Type=Face}]}'],
      'META-PERSON-NAME',
    ),
    jpeg(
      'a named face in the Microsoft tag',
      ['-RegionInfoMP={Regions=[{PersonDisplayName=Ann}]}'],
      'META-PERSON-NAME',
    ),
    jpeg('e-mail', ['-XMP-iptcCore:CreatorWorkEmail=ann@example.com'], 'META-CONTACT'),
    jpeg('telephone', ['-XMP-iptcCore:CreatorWorkTelephone=+44 20 7946 0000'], 'META-CONTACT'),
    jpeg('contact in IPTC', [`-IPTC:Contact=${person}`], 'META-CONTACT'),
    jpeg('identifier of the image', ['-ExifIFD:ImageUniqueID=00112233445566778899aabbccddeeff'], 'META-UNIQUE-ID'),
    jpeg('identifier of the document', ['-XMP-xmpMM:DocumentID=xmp.did:0a1b2c3d4e5f'], 'META-UNIQUE-ID'),
    jpeg('name of the computer', ['-IFD0:HostComputer=anns-macbook.local'], 'META-UNIQUE-ID'),
    jpeg('path of the source', [`-XMP-xmpMM:DerivedFromFilePath=${windowsPath}`], 'META-FILE-PATH'),
    jpeg('path in a comment', [`-ExifIFD:UserComment=made from ${unixPath}`], 'META-FILE-PATH'),
    jpeg('path in the file’s comment', ['-File:Comment=/Users/ann/Pictures/a.psd'], 'META-FILE-PATH'),
    jpeg('path on a drive', ['-IFD0:ImageDescription=D:\\Clients\\Acme\\a.psd'], 'META-FILE-PATH'),
    jpeg('path on a server', ['-IPTC:SpecialInstructions=\\\\nas01\\projects\\a.psd'], 'META-FILE-PATH'),
    jpeg('path as a URL', ['-XMP-dc:Source=file:///Users/ann/a.psd'], 'META-FILE-PATH'),
    jpeg(
      'all together',
      [
        ...exactPosition,
        '-IPTC:City=Paris',
        '-ExifIFD:SerialNumber=012345678901',
        `-IFD0:Artist=${person}`,
        `-XMP-dc:Source=${unixPath}`,
      ],
      'META-POSITION',
      'META-PLACE-NAME',
      'META-SERIAL-NUMBER',
      'META-PERSON-NAME',
      'META-FILE-PATH',
    ),
    taggedByExiftool('still.png', 'GPS', exactPosition, 'META-POSITION'),
    taggedByExiftool('still.png', 'author', [`-PNG:Author=${person}`], 'META-PERSON-NAME'),
    taggedByExiftool('still.png', 'path', [`-PNG:Comment=${unixPath}`], 'META-FILE-PATH'),
    taggedByExiftool('still.webp', 'GPS', exactPosition, 'META-POSITION'),
    taggedByExiftool('still.webp', 'creator', [`-XMP-dc:Creator=${person}`], 'META-PERSON-NAME'),
    taggedByExiftool(
      'still.tiff',
      'GPS and serial number',
      [...exactPosition, '-ExifIFD:SerialNumber=7700123'],
      'META-POSITION',
      'META-SERIAL-NUMBER',
    ),
    taggedByExiftool('still.tiff', 'artist', [`-IFD0:Artist=${person}`], 'META-PERSON-NAME'),
    taggedByExiftool('still.gif', 'creator', [`-XMP-dc:Creator=${person}`], 'META-PERSON-NAME'),
    taggedByExiftool('still.gif', 'path', [`-Comment=${windowsPath}`], 'META-FILE-PATH'),
    taggedByExiftool('still.avif', 'GPS', exactPosition, 'META-POSITION'),
    ...makerNotes(sample('still.jpg')),
    ...thumbnails(),
  ];
}

function makerNotes(jpeg: Uint8Array): Recipe[] {
  const of = (label: string, from: Uint8Array, ...expected: RuleCode[]) =>
    fileOfBytes('a.jpg', label, from, ...expected);
  return [
    of(
      'Canon maker notes with owner and serial number',
      withMakerNotes(jpeg, 'Canon', canonNotes(person, 12345678)),
      'META-MAKER-NOTES',
      'META-PERSON-NAME',
      'META-SERIAL-NUMBER',
    ),
    of('Canon maker notes without an owner', withMakerNotes(jpeg, 'Canon', canonNotes('', 0)), 'META-MAKER-NOTES'),
    of(
      'Apple maker notes with an identifier',
      withMakerNotes(jpeg, 'Apple', appleNotes('1B4E28BA-2FA1-11D2-883F-0016D3CCA427')),
      'META-MAKER-NOTES',
      'META-UNIQUE-ID',
    ),
  ];
}

function thumbnails(): Recipe[] {
  const of = (label: string, from: string, exiftool: string) =>
    taggedByExiftool(from, label, [exiftool], 'META-THUMBNAIL');
  return [
    of('thumbnail of another image', 'scene.jpg', '-ThumbnailImage<=FOLDER/thumbnail-other.jpg'),
    of('thumbnail from before a crop to one corner', 'cropped.jpg', '-ThumbnailImage<=FOLDER/thumbnail.jpg'),
    of('thumbnail from before a crop by a fifth', 'trimmed.jpg', '-ThumbnailImage<=FOLDER/thumbnail.jpg'),
    of('thumbnail from before a crop of one side', 'narrowed.jpg', '-ThumbnailImage<=FOLDER/thumbnail.jpg'),
    of(
      'thumbnail with bars from before a crop of one side',
      'narrowed.jpg',
      '-ThumbnailImage<=FOLDER/thumbnail-in-bars.jpg',
    ),
    of('thumbnail from before a face was covered', 'covered.jpg', '-ThumbnailImage<=FOLDER/thumbnail.jpg'),
    of('Photoshop thumbnail from before a crop', 'cropped.jpg', '-PhotoshopThumbnail<=FOLDER/thumbnail.jpg'),
    of('thumbnail of another image in a PNG', 'scene.png', '-ThumbnailImage<=FOLDER/thumbnail-other.jpg'),
    of('thumbnail of another image in a WebP', 'scene.webp', '-ThumbnailImage<=FOLDER/thumbnail-other.jpg'),
    of('thumbnail of a scene in a plain image', 'flat.jpg', '-ThumbnailImage<=FOLDER/thumbnail.jpg'),
  ];
}
