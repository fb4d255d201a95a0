import { statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import provinces from '../../../src/services/weather/places.generated.json' with { type: 'json' };
import { openPlaces, type Place, PlaceRefused } from '../../../src/services/weather/places.ts';
import { shortName } from '../../../src/services/weather/short-name.ts';

const { resolvePlace } = openPlaces();

function placeOf(query: { location?: string; city?: string }): Place {
  const place = resolvePlace(query);
  if (place instanceof PlaceRefused) throw new Error(place.message);
  return place;
}

function refusalOf(query: { location?: string; city?: string }): PlaceRefused {
  const refused = resolvePlace(query);
  if (refused instanceof PlaceRefused) return refused;
  throw new Error(`not refused: ${JSON.stringify(refused)}`);
}

const rows = provinces
  .flatMap(text => text.split('\n'))
  .map(row => /^(\d{6})([^a-z]+)(.+)$/.exec(row)!)
  .map(([, adcode, name, spellings]) => ({ adcode: adcode!, name: name!, spellings: spellings!.split(' ') }));

describe('the table of places', () => {
  test('has all provinces, prefectures and counties in less than 150 kB', () => {
    const file = new URL('../../../src/services/weather/places.generated.json', import.meta.url);
    expect(statSync(file).size).toBeLessThan(150_000);
    expect(rows.filter(row => row.adcode.endsWith('0000'))).toHaveLength(34);
    expect(rows.length).toBeGreaterThan(3000);
    expect(new Set(rows.map(row => row.adcode)).size).toBe(rows.length);
  });

  test('finds every place by its adcode', () => {
    for (const { adcode, name } of rows) {
      const place = placeOf({ location: adcode });
      expect(place).toMatchObject({ key: adcode, location: adcode });
      expect(place.city!.endsWith(name)).toBe(true);
    }
  });

  test('finds a place for every name, short name and spelling', () => {
    for (const { name, spellings } of rows) {
      for (const city of [name, shortName(name), ...spellings]) expect(resolvePlace({ city })).toHaveProperty('key');
    }
  });
});

describe('by adcode', () => {
  test('the city code of a municipality is the municipality', () => {
    expect(placeOf({ location: '110100' })).toEqual({ key: '110000', location: '110000', city: '北京市' });
    expect(placeOf({ location: '500200' }).key).toBe('500000');
  });

  test('spaces around it and full-width digits are read', () => {
    expect(placeOf({ location: ' 440300 ' }).key).toBe('440300');
    expect(placeOf({ location: '４４０３００' }).city).toBe('广东省深圳市');
  });

  test('an unknown one is refused, and named', () => {
    expect(refusalOf({ location: '999999' })).toEqual({
      fault: 'unknown',
      message: 'no place with the adcode 999999',
    });
    for (const location of ['4403', '440300000000', '北京', 'x'.repeat(200)]) {
      const { fault, message } = refusalOf({ location });
      expect(fault).toBe('malformed');
      expect(message).toContain(location.slice(0, 100));
      expect(message.length).toBeLessThan(180);
    }
  });
});

describe('by longitude and latitude', () => {
  test.each([
    ['121.4737,31.2304', '121.47,31.23'],
    [' 121.4737 , 31.2304 ', '121.47,31.23'],
    ['121.4737，31.2304', '121.47,31.23'],
    ['121.4737、31.2304', '121.47,31.23'],
    ['121.4737 31.2304', '121.47,31.23'],
    ['1,2', '1.00,2.00'],
    ['-0.001,-0.001', '0.00,0.00'],
    ['-180,90', '-180.00,90.00'],
  ])('%s is the place %s', (location, key) => {
    expect(placeOf({ location })).toEqual({ key, location: key });
  });

  test.each(['180.01,0', '0,90.01', '181,91', '999,0'])('%s is out of range', location => {
    expect(refusalOf({ location })).toMatchObject({ fault: 'malformed', message: expect.stringContaining(location) });
  });

  test('latitude first is refused with the reason', () => {
    expect(refusalOf({ location: '31.23,121.47' }).message).toContain('the longitude first');
  });

  test.each(['121.47,', ',31', '121.47,31.23,5', '1e2,3', 'NaN,NaN', '--1,2', '0x10,1'])('%s is no pair', location => {
    expect(refusalOf({ location }).fault).toBe('malformed');
  });

  test('any pair in range has one key that is its own place again', () => {
    const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true }).map(value => value.toFixed(6));
    fc.assert(
      fc.property(degrees(180), degrees(90), (longitude, latitude) => {
        const { key } = placeOf({ location: `${longitude},${latitude}` });
        expect(placeOf({ location: key }).key).toBe(key);
        expect(key.length).toBeLessThanOrEqual(14);
      }),
    );
  });
});

describe('by name', () => {
  test.each([
    ['北京', '110000'],
    ['北京市', '110000'],
    ['深圳', '440300'],
    ['深圳市', '440300'],
    ['广西', '450000'],
    ['广西壮族自治区', '450000'],
    ['内蒙古', '150000'],
    ['恩施土家族苗族自治州', '422800'],
    ['延边州', '222400'],
    ['浦东', '310115'],
    ['浦东区', '310115'],
    ['鄂温克', '150724'],
    ['香港', '810000'],
    ['蔚县', '130726'],
    ['吴江市', '320509'],
    ['万柏林区', '140109'],
    ['神农架', '429021'],
    ['朝阳区', '110105'],
    ['朝阳市', '211300'],
    ['北京朝阳', '110105'],
    ['北京市朝阳区', '110105'],
    ['吉林省长春市朝阳区', '220104'],
    ['  深 圳 ', '440300'],
  ])('%s is %s', (city, adcode) => {
    expect(placeOf({ city }).key).toBe(adcode);
  });

  test.each([
    ['beijing', '110000'],
    ['BEIJING', '110000'],
    ['Bei Jing', '110000'],
    ['bei-jing shi', '110000'],
    ['Běijīng', '110000'],
    ["Xi'an", '610100'],
    ['xi’an', '610100'],
    ['XIAN SHI', '610100'],
    ['chongqing', '500000'],
    ['Xiamen', '350200'],
    ['bengbu', '340300'],
    ['lvliang', '141100'],
    ['Lüliang', '141100'],
    ['luliang shi', '141100'],
    ['lyuliang', '141100'],
    ['shaanxi', '610000'],
    ['Harbin', '230100'],
    ['haerbin', '230100'],
    ['urumqi', '650100'],
    ['yueqing', '330382'],
    ['minhang', '310112'],
    ['beijing chaoyang', '110105'],
    ['beijing, chaoyang qu', '110105'],
    ['xinjiang zizhiqu, bayinguoleng, yanqi', '652826'],
  ])('%s is %s', (city, adcode) => {
    expect(placeOf({ city }).key).toBe(adcode);
  });

  test('of several the higher level is taken, and the others are named', () => {
    const place = placeOf({ city: '朝阳' });
    expect(place).toMatchObject({ key: '211300', city: '辽宁省朝阳市' });
    expect(place.note).toBe(
      '朝阳 is taken as 辽宁省朝阳市 (211300), not 北京市朝阳区 (110105), 辽宁省朝阳市朝阳县 (211321), 吉林省长春市朝阳区 (220104)',
    );
    expect(placeOf({ city: '吉林' }).key).toBe('220000');
    expect(placeOf({ city: '北京' }).note).toBeUndefined();
  });

  test('an unknown name is refused, and named', () => {
    expect(refusalOf({ city: '亚特兰蒂斯' })).toEqual({
      fault: 'unknown',
      message: 'no place with the name 亚特兰蒂斯',
    });
    expect(refusalOf({ city: '…' }).fault).toBe('unknown');
    expect(refusalOf({ city: '州' }).fault).toBe('unknown');
    expect(refusalOf({ city: '长'.repeat(101) }).fault).toBe('malformed');
  });

  test('any text is a place or a refusal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), fc.boolean(), (text, asCity) => {
        const answer = resolvePlace(asCity ? { city: text } : { location: text });
        expect(answer instanceof PlaceRefused || typeof answer.key === 'string').toBe(true);
      }),
    );
  });
});

describe('which of the two', () => {
  test('location wins over city, even a wrong one', () => {
    expect(placeOf({ location: '440300', city: '北京' }).key).toBe('440300');
    expect(refusalOf({ location: '999999', city: '北京' }).fault).toBe('unknown');
  });

  test('an empty location is none', () => {
    expect(placeOf({ location: '  ', city: '北京' }).key).toBe('110000');
  });

  test("neither is the site's own place", () => {
    const own = openPlaces({ city: '苏州' });
    expect(own.resolvePlace({})).toMatchObject({ key: '320500' });
    expect(own.resolvePlace({ location: '', city: ' ' })).toMatchObject({ key: '320500' });
    expect(own.resolvePlace({ city: '北京' })).toMatchObject({ key: '110000' });
  });

  test('neither, at a site without a place, is refused', () => {
    expect(refusalOf({}).fault).toBe('not_given');
    expect(openPlaces({ city: '' }).resolvePlace({})).toMatchObject({ fault: 'not_given' });
  });
});
