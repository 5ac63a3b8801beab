/** The names of time in each zone, as PostgreSQL's DateStyles other than ISO print them: standard/daylight: zones. */
const table = `
  ACST/ACDT: Australia/Adelaide Australia/Broken_Hill
  ACST: Australia/Darwin
  AEST/AEDT: Antarctica/Macquarie Australia/Hobart Australia/Melbourne Australia/Sydney
  AEST: Australia/Brisbane Australia/Lindeman
  AKST/AKDT: America/Anchorage America/Juneau America/Metlakatla America/Nome America/Sitka America/Yakutat
  AST/ADT: America/Glace_Bay America/Goose_Bay America/Halifax America/Moncton America/Thule Atlantic/Bermuda
  AST: America/Anguilla America/Antigua America/Aruba America/Barbados America/Blanc-Sablon America/Curacao
    America/Dominica America/Grenada America/Guadeloupe America/Kralendijk America/Lower_Princes America/Marigot
    America/Martinique America/Montserrat America/Port_of_Spain America/Puerto_Rico America/Santo_Domingo
    America/St_Barthelemy America/St_Kitts America/St_Lucia America/St_Thomas America/St_Vincent America/Tortola
  AWST: Australia/Perth
  CAT: Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Juba Africa/Khartoum Africa/Kigali
    Africa/Lubumbashi Africa/Lusaka Africa/Maputo Africa/Windhoek
  CET/CEST: Africa/Ceuta Arctic/Longyearbyen Europe/Amsterdam Europe/Andorra Europe/Belgrade Europe/Berlin
    Europe/Bratislava Europe/Brussels Europe/Budapest Europe/Busingen Europe/Copenhagen Europe/Gibraltar
    Europe/Ljubljana Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Monaco Europe/Oslo Europe/Paris
    Europe/Podgorica Europe/Prague Europe/Rome Europe/San_Marino Europe/Sarajevo Europe/Skopje Europe/Stockholm
    Europe/Tirane Europe/Vaduz Europe/Vatican Europe/Vienna Europe/Warsaw Europe/Zagreb Europe/Zurich
  CET: Africa/Algiers Africa/Tunis
  CST/CDT: America/Chicago America/Havana America/Indiana/Knox America/Indiana/Tell_City America/Matamoros
    America/Menominee America/North_Dakota/Beulah America/North_Dakota/Center America/North_Dakota/New_Salem
    America/Ojinaga America/Rankin_Inlet America/Resolute America/Winnipeg
  CST: America/Bahia_Banderas America/Belize America/Chihuahua America/Costa_Rica America/El_Salvador
    America/Guatemala America/Managua America/Merida America/Mexico_City America/Monterrey America/Regina
    America/Swift_Current America/Tegucigalpa Asia/Macau Asia/Shanghai Asia/Taipei
  ChST: Pacific/Guam Pacific/Saipan
  EAT: Africa/Addis_Ababa Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti Africa/Kampala Africa/Mogadishu
    Africa/Nairobi Indian/Antananarivo Indian/Comoro Indian/Mayotte
  EET/EEST: Africa/Cairo Asia/Beirut Asia/Famagusta Asia/Gaza Asia/Hebron Asia/Nicosia Europe/Athens
    Europe/Bucharest Europe/Chisinau Europe/Helsinki Europe/Kiev Europe/Mariehamn Europe/Riga Europe/Sofia
    Europe/Tallinn Europe/Vilnius
  EET: Africa/Tripoli Europe/Kaliningrad
  EST/EDT: America/Detroit America/Grand_Turk America/Indiana/Marengo America/Indiana/Petersburg
    America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac America/Indianapolis America/Iqaluit
    America/Kentucky/Monticello America/Louisville America/Nassau America/New_York America/Port-au-Prince
    America/Toronto
  EST: America/Cancun America/Cayman America/Coral_Harbour America/Jamaica America/Panama
  GMT/BST: Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London
  GMT: Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Bissau Africa/Conakry Africa/Dakar
    Africa/Freetown Africa/Lome Africa/Monrovia Africa/Nouakchott Africa/Ouagadougou Africa/Sao_Tome
    America/Danmarkshavn Atlantic/Reykjavik Atlantic/St_Helena
  GMT/IST: Europe/Dublin
  HKT: Asia/Hong_Kong
  HST/HDT: America/Adak
  HST: Pacific/Honolulu
  IST/IDT: Asia/Jerusalem
  IST: Asia/Calcutta
  JST: Asia/Tokyo
  KST: Asia/Pyongyang Asia/Seoul
  MSK: Europe/Kirov Europe/Moscow Europe/Simferopol Europe/Volgograd
  MST/MDT: America/Boise America/Cambridge_Bay America/Ciudad_Juarez America/Denver America/Edmonton America/Inuvik
  MST: America/Creston America/Dawson America/Dawson_Creek America/Fort_Nelson America/Hermosillo America/Mazatlan
    America/Phoenix America/Whitehorse
  NST/NDT: America/St_Johns
  NZST/NZDT: Antarctica/McMurdo Pacific/Auckland
  PKT: Asia/Karachi
  PST/PDT: America/Los_Angeles America/Tijuana America/Vancouver
  PST: Asia/Manila
  SAST: Africa/Johannesburg Africa/Maseru Africa/Mbabane
  SST: Pacific/Midway Pacific/Pago_Pago
  WAT: Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Lagos Africa/Libreville Africa/Luanda
    Africa/Malabo Africa/Ndjamena Africa/Niamey Africa/Porto-Novo
  WET/WEST: Atlantic/Canary Atlantic/Faeroe Atlantic/Madeira Europe/Lisbon
  WIB: Asia/Jakarta Asia/Pontianak
  WIT: Asia/Jayapura
  WITA: Asia/Makassar
`;

const names = new Map<string, readonly [string, string]>();
for (const line of table.trim().split(/\n(?= {2}\S)/)) {
  const [abbreviations = '', zones = ''] = line.split(':');
  const [standard = '', daylight = standard] = abbreviations.trim().split('/');
  for (const zone of zones.trim().split(/\s+/)) names.set(zone, [standard, daylight]);
}

/** Standard and daylight-saving abbreviation; undefined for a zone that has none (its offset is printed instead). */
export function zoneAbbreviations(zone: string): readonly [string, string] | undefined {
  return names.get(zone);
}
