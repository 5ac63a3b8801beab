/**
 * Functions that queries can call in servers 10 to 18, recorded from them by scripts/record-catalogs.mjs: name, then
 * for each of that name the argument types (* variadic), > and the result type (>> a set, => an
 * aggregate or window function). [14-] in front: the majors that have it.
 */
export const functionLines = `
abbrev: cidr>text inet>text; abs: float4>float4 float8>float8 int2>int2 int4>int4 int8>int8 numeric>numeric
abstime: [-11]timestamp>abstime [-11]timestamptz>abstime; acldefault: char,oid>_aclitem; aclexplode: _aclitem>>record; acos: float8>float8
acosd: float8>float8; acosh: [12-]float8>float8
age: timestamp,timestamp>interval timestamp>interval timestamptz,timestamptz>interval timestamptz>interval xid>int4; amvalidate: oid>bool
any_value: [16-]anyelement=>anyelement; area: box>float8 circle>float8 path>float8; array_agg: anyarray=>anyarray anynonarray=>anyarray
array_append: [-13]anyarray,anyelement>anyarray [14-]anycompatiblearray,anycompatible>anycompatiblearray
array_cat: [-13]anyarray,anyarray>anyarray [14-]anycompatiblearray,anycompatiblearray>anycompatiblearray; array_dims: anyarray>text
array_eq: anyarray,anyarray>bool; array_fill: anyelement,_int4,_int4>anyarray anyelement,_int4>anyarray; array_ge: anyarray,anyarray>bool
array_gt: anyarray,anyarray>bool; array_larger: anyarray,anyarray>anyarray; array_le: anyarray,anyarray>bool; array_length: anyarray,int4>int4
array_lower: anyarray,int4>int4; array_lt: anyarray,anyarray>bool; array_ndims: anyarray>int4; array_ne: anyarray,anyarray>bool
array_position: [-13]anyarray,anyelement,int4>int4 [-13]anyarray,anyelement>int4
array_position: [14-]anycompatiblearray,anycompatible,int4>int4 [14-]anycompatiblearray,anycompatible>int4
array_positions: [-13]anyarray,anyelement>_int4 [14-]anycompatiblearray,anycompatible>_int4
array_prepend: [14-]anycompatible,anycompatiblearray>anycompatiblearray [-13]anyelement,anyarray>anyarray
array_remove: [-13]anyarray,anyelement>anyarray [14-]anycompatiblearray,anycompatible>anycompatiblearray
array_replace: [-13]anyarray,anyelement,anyelement>anyarray; array_replace: [14-]anycompatiblearray,anycompatible,anycompatible>anycompatiblearray
array_reverse: [18-]anyarray>anyarray; array_sample: [16-]anyarray,int4>anyarray; array_shuffle: [16-]anyarray>anyarray
array_smaller: anyarray,anyarray>anyarray; array_sort: [18-]anyarray,bool,bool>anyarray [18-]anyarray,bool>anyarray [18-]anyarray>anyarray
array_to_json: anyarray,bool>json anyarray>json; array_to_string: anyarray,text,text>text anyarray,text>text; array_to_tsvector: _text>tsvector
array_upper: anyarray,int4>int4; ascii: text>int4; asin: float8>float8; asind: float8>float8; asinh: [12-]float8>float8; atan: float8>float8
atan2: float8,float8>float8; atan2d: float8,float8>float8; atand: float8>float8; atanh: [12-]float8>float8
avg: float4=>float8 float8=>float8 int2=>numeric int4=>numeric int8=>numeric interval=>interval numeric=>numeric
bit: bit,int4,bool>bit int4,int4>bit int8,int4>bit; bit_and: bit=>bit int2=>int2 int4=>int4 int8=>int8; bit_count: [14-]bit>int8 [14-]bytea>int8
bit_length: bit>int4 bytea>int4 text>int4; bit_or: bit=>bit int2=>int2 int4=>int4 int8=>int8
bit_xor: [14-]bit=>bit [14-]int2=>int2 [14-]int4=>int4 [14-]int8=>int8; bool: int4>bool [11-]jsonb>bool; bool_and: bool=>bool; bool_or: bool=>bool
box: circle>box point,point>box point>box polygon>box; bpchar: bpchar,int4,bool>bpchar char>bpchar name>bpchar; brin_desummarize_range: regclass,int8>void
brin_summarize_new_values: regclass>int4; brin_summarize_range: regclass,int8>int4; broadcast: inet>inet; btrim: bytea,bytea>bytea text,text>text text>text
bytea: [18-]int2>bytea [18-]int4>bytea [18-]int8>bytea; cardinality: anyarray>int4; casefold: [18-]text>text; cash_words: money>text; cbrt: float8>float8
ceil: float8>float8 numeric>numeric; ceiling: float8>float8 numeric>numeric; center: box>point circle>point; char: int4>char text>char
char_length: bpchar>int4 text>int4; character_length: bpchar>int4 text>int4; chr: int4>text; cidr: inet>cidr
circle: box>circle point,float8>circle polygon>circle; clock_timestamp: >timestamptz; col_description: oid,int4>text; concat: *any>text
concat_ws: text,*any>text; convert: bytea,name,name>bytea; convert_from: bytea,name>text; convert_to: text,name>bytea; corr: float8,float8=>float8
cos: float8>float8; cosd: float8>float8; cosh: [12-]float8>float8; cot: float8>float8; cotd: float8>float8; count: =>int8 any=>int8
covar_pop: float8,float8=>float8; covar_samp: float8,float8=>float8; crc32: [18-]bytea>int8; crc32c: [18-]bytea>int8; cume_dist: *any=>float8 =>float8
current_database: >name; current_query: >text; current_schema: >name; current_schemas: bool>_name; current_setting: text,bool>text text>text
current_user: >name; currtid: [-13]oid,tid>tid; currtid2: text,tid>tid; currval: regclass>int8; cursor_to_xml: refcursor,int4,bool,bool,text>xml
cursor_to_xmlschema: refcursor,bool,bool,text>xml; database_to_xml: bool,bool,text>xml; database_to_xml_and_xmlschema: bool,bool,text>xml
database_to_xmlschema: bool,bool,text>xml; date: [-11]abstime>date timestamp>date timestamptz>date
date_add: [16-]timestamptz,interval,text>timestamptz [16-]timestamptz,interval>timestamptz
date_bin: [14-]interval,timestamp,timestamp>timestamp [14-]interval,timestamptz,timestamptz>timestamptz
date_part: [-11]text,abstime>float8 text,date>float8 text,interval>float8 [-11]text,reltime>float8 text,time>float8
date_part: text,timestamp>float8 text,timestamptz>float8 text,timetz>float8
date_subtract: [16-]timestamptz,interval,text>timestamptz [16-]timestamptz,interval>timestamptz
date_trunc: text,interval>interval text,timestamp>timestamp [12-]text,timestamptz,text>timestamptz; date_trunc: text,timestamptz>timestamptz
datemultirange: [14-]*_daterange>datemultirange [14-]>datemultirange [14-]daterange>datemultirange; daterange: date,date,text>daterange date,date>daterange
daterange_canonical: daterange>daterange; daterange_subdiff: date,date>float8; decode: text,text>bytea; degrees: float8>float8; dense_rank: *any=>int8 =>int8
dexp: float8>float8; diagonal: box>lseg; diameter: circle>float8; div: numeric,numeric>numeric; dlog1: float8>float8; dlog10: float8>float8
dround: float8>float8; dtrunc: float8>float8; encode: bytea,text>text; enum_first: anyenum>anyenum; enum_in: cstring,oid>anyenum; enum_last: anyenum>anyenum
enum_out: anyenum>cstring; enum_range: anyenum,anyenum>anyarray anyenum>anyarray; enum_send: anyenum>bytea; erf: [16-]float8>float8; erfc: [16-]float8>float8
every: bool=>bool; exp: float8>float8 numeric>numeric
extract: [14-]text,date>numeric [14-]text,interval>numeric [14-]text,time>numeric [14-]text,timestamp>numeric
extract: [14-]text,timestamptz>numeric [14-]text,timetz>numeric; factorial: int8>numeric; family: inet>int4; first_value: anyelement=>anyelement
float4: float8>float4 int2>float4 int4>float4 int8>float4 [11-]jsonb>float4 numeric>float4
float8: float4>float8 int2>float8 int4>float8 int8>float8 [11-]jsonb>float8 numeric>float8; floor: float8>float8 numeric>numeric; fmgr_c_validator: oid>void
fmgr_internal_validator: oid>void; fmgr_sql_validator: oid>void; format: text,*any>text text>text; format_type: oid,int4>text; gamma: [18-]float8>float8
gcd: [13-]int4,int4>int4 [13-]int8,int8>int8 [13-]numeric,numeric>numeric; gen_random_uuid: [13-]>uuid
generate_series: int4,int4,int4>>int4 int4,int4>>int4 int8,int8,int8>>int8 int8,int8>>int8
generate_series: numeric,numeric,numeric>>numeric numeric,numeric>>numeric timestamp,timestamp,interval>>timestamp
generate_series: [16-]timestamptz,timestamptz,interval,text>>timestamptz timestamptz,timestamptz,interval>>timestamptz
generate_subscripts: anyarray,int4,bool>>int4 anyarray,int4>>int4; get_bit: bit,int4>int4 [-12]bytea,int4>int4 [13-]bytea,int8>int4
get_byte: bytea,int4>int4; get_current_ts_config: >regconfig; getdatabaseencoding: >name; getpgusername: >name; gin_clean_pending_list: regclass>int8
has_any_column_privilege: name,oid,text>bool name,text,text>bool oid,oid,text>bool oid,text,text>bool oid,text>bool; has_any_column_privilege: text,text>bool
has_column_privilege: name,oid,int2,text>bool name,oid,text,text>bool name,text,int2,text>bool
has_column_privilege: name,text,text,text>bool oid,int2,text>bool oid,oid,int2,text>bool oid,oid,text,text>bool
has_column_privilege: oid,text,int2,text>bool oid,text,text,text>bool oid,text,text>bool text,int2,text>bool; has_column_privilege: text,text,text>bool
has_database_privilege: name,oid,text>bool name,text,text>bool oid,oid,text>bool oid,text,text>bool oid,text>bool; has_database_privilege: text,text>bool
has_foreign_data_wrapper_privilege: name,oid,text>bool name,text,text>bool oid,oid,text>bool oid,text,text>bool
has_foreign_data_wrapper_privilege: oid,text>bool text,text>bool
has_function_privilege: name,oid,text>bool name,text,text>bool oid,oid,text>bool oid,text,text>bool oid,text>bool; has_function_privilege: text,text>bool
has_language_privilege: name,oid,text>bool name,text,text>bool oid,oid,text>bool oid,text,text>bool oid,text>bool; has_language_privilege: text,text>bool
has_largeobject_privilege: [18-]name,oid,text>bool [18-]oid,oid,text>bool [18-]oid,text>bool
has_parameter_privilege: [15-]name,text,text>bool [15-]oid,text,text>bool [15-]text,text>bool
has_schema_privilege: name,oid,text>bool name,text,text>bool oid,oid,text>bool oid,text,text>bool oid,text>bool; has_schema_privilege: text,text>bool
has_sequence_privilege: name,oid,text>bool name,text,text>bool oid,oid,text>bool oid,text,text>bool oid,text>bool; has_sequence_privilege: text,text>bool
has_server_privilege: name,oid,text>bool name,text,text>bool oid,oid,text>bool oid,text,text>bool oid,text>bool; has_server_privilege: text,text>bool
has_table_privilege: name,oid,text>bool name,text,text>bool oid,oid,text>bool oid,text,text>bool oid,text>bool; has_table_privilege: text,text>bool
has_tablespace_privilege: name,oid,text>bool name,text,text>bool oid,oid,text>bool oid,text,text>bool oid,text>bool; has_tablespace_privilege: text,text>bool
has_type_privilege: name,oid,text>bool name,text,text>bool oid,oid,text>bool oid,text,text>bool oid,text>bool; has_type_privilege: text,text>bool
hashtext: text>int4; height: box>float8; host: inet>text; hostmask: inet>inet; icu_unicode_version: [17-]>text; inet_client_addr: >inet
inet_client_port: >int4; inet_server_addr: >inet; inet_server_port: >int4; initcap: text>text
int2: [18-]bytea>int2 float4>int2 float8>int2 int4>int2 int8>int2 [11-]jsonb>int2 numeric>int2; int2_avg_accum_inv: _int8,int2>_int8
int2int4_sum: _int8>int8; int4: bit>int4 bool>int4 [18-]bytea>int4 char>int4 float4>int4 float8>int4 int2>int4 int8>int4 [11-]jsonb>int4; int4: numeric>int4
int4_avg_accum_inv: _int8,int4>_int8; int4inc: int4>int4; int4multirange: [14-]*_int4range>int4multirange [14-]>int4multirange [14-]int4range>int4multirange
int4range: int4,int4,text>int4range int4,int4>int4range; int4range_canonical: int4range>int4range; int4range_subdiff: int4,int4>float8
int8: bit>int8 [18-]bytea>int8 float4>int8 float8>int8 int2>int8 int4>int8 [11-]jsonb>int8 numeric>int8 oid>int8; int8_sum: numeric,int8>numeric
int8dec: int8>int8; int8dec_any: int8,any>int8; int8multirange: [14-]*_int8range>int8multirange [14-]>int8multirange [14-]int8range>int8multirange
int8range: int8,int8,text>int8range int8,int8>int8range; int8range_canonical: int8range>int8range; int8range_subdiff: int8,int8>float8
interval: interval,int4>interval [-11]reltime>interval time>interval; interval_accum_inv: [-16]_interval,interval>_interval
is_normalized: [13-]text,text>bool; isclosed: path>bool; isempty: [14-]anymultirange>bool
isfinite: [-11]abstime>bool date>bool interval>bool timestamp>bool timestamptz>bool; ishorizontal: line>bool lseg>bool point,point>bool; isopen: path>bool
isparallel: line,line>bool lseg,lseg>bool; isperp: line,line>bool lseg,lseg>bool; isvertical: line>bool lseg>bool point,point>bool
json_agg: anyelement=>json; json_agg_strict: [16-]anyelement=>json; json_array_elements: json>>json; json_array_elements_text: json>>text
json_array_length: json>int4; json_build_array: *any>json >json; json_build_object: *any>json >json; json_each: json>>record; json_each_text: json>>record
json_object: _text,_text>json _text>json; json_object_agg: any,any=>json; json_object_agg_strict: [16-]any,any=>json
json_object_agg_unique: [16-]any,any=>json; json_object_agg_unique_strict: [16-]any,any=>json; json_object_keys: json>>text
json_populate_record: anyelement,json,bool>anyelement; json_populate_recordset: anyelement,json,bool>>anyelement
json_strip_nulls: [18-]json,bool>json [-17]json>json; json_to_record: json>record; json_to_recordset: json>>record
json_to_tsvector: [11-]json,jsonb>tsvector [11-]regconfig,json,jsonb>tsvector; json_typeof: json>text; jsonb_agg: anyelement=>jsonb
jsonb_agg_strict: [16-]anyelement=>jsonb; jsonb_array_elements: jsonb>>jsonb; jsonb_array_elements_text: jsonb>>text; jsonb_array_length: jsonb>int4
jsonb_build_array: *any>jsonb >jsonb; jsonb_build_object: *any>jsonb >jsonb; jsonb_each: jsonb>>record; jsonb_each_text: jsonb>>record
jsonb_insert: jsonb,_text,jsonb,bool>jsonb; jsonb_object: _text,_text>jsonb _text>jsonb; jsonb_object_agg: any,any=>jsonb
jsonb_object_agg_strict: [16-]any,any=>jsonb; jsonb_object_agg_unique: [16-]any,any=>jsonb; jsonb_object_agg_unique_strict: [16-]any,any=>jsonb
jsonb_object_keys: jsonb>>text; jsonb_path_exists: [12-]jsonb,jsonpath,jsonb,bool>bool; jsonb_path_exists_tz: [13-]jsonb,jsonpath,jsonb,bool>bool
jsonb_path_match: [12-]jsonb,jsonpath,jsonb,bool>bool; jsonb_path_match_tz: [13-]jsonb,jsonpath,jsonb,bool>bool
jsonb_path_query: [12-]jsonb,jsonpath,jsonb,bool>>jsonb; jsonb_path_query_array: [12-]jsonb,jsonpath,jsonb,bool>jsonb
jsonb_path_query_array_tz: [13-]jsonb,jsonpath,jsonb,bool>jsonb; jsonb_path_query_first: [12-]jsonb,jsonpath,jsonb,bool>jsonb
jsonb_path_query_first_tz: [13-]jsonb,jsonpath,jsonb,bool>jsonb; jsonb_path_query_tz: [13-]jsonb,jsonpath,jsonb,bool>>jsonb
jsonb_populate_record: anyelement,jsonb>anyelement; jsonb_populate_record_valid: [17-]anyelement,jsonb>bool
jsonb_populate_recordset: anyelement,jsonb>>anyelement; jsonb_pretty: jsonb>text; jsonb_set: jsonb,_text,jsonb,bool>jsonb
jsonb_set_lax: [13-]jsonb,_text,jsonb,bool,text>jsonb; jsonb_strip_nulls: [18-]jsonb,bool>jsonb [-17]jsonb>jsonb; jsonb_to_record: jsonb>record
jsonb_to_recordset: jsonb>>record; jsonb_to_tsvector: [11-]jsonb,jsonb>tsvector [11-]regconfig,jsonb,jsonb>tsvector; jsonb_typeof: jsonb>text
justify_days: interval>interval; justify_hours: interval>interval; justify_interval: interval>interval
lag: [14-]anycompatible,int4,anycompatible=>anycompatible [-13]anyelement,int4,anyelement=>anyelement
lag: anyelement,int4=>anyelement anyelement=>anyelement; last_value: anyelement=>anyelement; lastval: >int8
lcm: [13-]int4,int4>int4 [13-]int8,int8>int8 [13-]numeric,numeric>numeric
lead: [14-]anycompatible,int4,anycompatible=>anycompatible [-13]anyelement,int4,anyelement=>anyelement
lead: anyelement,int4=>anyelement anyelement=>anyelement; left: text,int4>text
length: bit>int4 bpchar>int4 bytea,name>int4 bytea>int4 lseg>float8 path>float8 text>int4 tsvector>int4; lgamma: [18-]float8>float8
like: bytea,bytea>bool name,text>bool text,text>bool; like_escape: bytea,bytea>bytea text,text>text; line: point,point>line
ln: float8>float8 numeric>numeric; lo_close: int4>int4; lo_creat: int4>oid; lo_create: oid>oid; lo_export: oid,text>int4; lo_from_bytea: oid,bytea>oid
lo_get: oid,int8,int4>bytea oid>bytea; lo_import: text,oid>oid text>oid; lo_lseek: int4,int4,int4>int4; lo_lseek64: int4,int8,int4>int8
lo_open: oid,int4>int4; lo_put: oid,int8,bytea>void; lo_tell: int4>int4; lo_tell64: int4>int8; lo_truncate: int4,int4>int4; lo_truncate64: int4,int8>int4
lo_unlink: oid>int4; log: float8>float8 numeric,numeric>numeric numeric>numeric; log10: [12-]float8>float8 [12-]numeric>numeric; loread: int4,int4>bytea
lower: [14-]anymultirange>anyelement anyrange>anyelement text>text; lower_inc: [14-]anymultirange>bool anyrange>bool
lower_inf: [14-]anymultirange>bool anyrange>bool; lowrite: int4,bytea>int4; lpad: text,int4,text>text text,int4>text; lseg: box>lseg point,point>lseg
ltrim: [14-]bytea,bytea>bytea text,text>text text>text; macaddr: macaddr8>macaddr; macaddr8: macaddr>macaddr8; macaddr8_set7bit: macaddr8>macaddr8
make_date: int4,int4,int4>date; make_interval: int4,int4,int4,int4,int4,int4,float8>interval; make_time: int4,int4,float8>time
make_timestamp: int4,int4,int4,int4,int4,float8>timestamp
make_timestamptz: int4,int4,int4,int4,int4,float8,text>timestamptz int4,int4,int4,int4,int4,float8>timestamptz; makeaclitem: oid,oid,text,bool>aclitem
masklen: inet>int4; max: [-11]abstime=>abstime anyarray=>anyarray anyenum=>anyenum bpchar=>bpchar [18-]bytea=>bytea date=>date
max: float4=>float4 float8=>float8 inet=>inet int2=>int2 int4=>int4 int8=>int8 interval=>interval money=>money
max: numeric=>numeric oid=>oid [13-]pg_lsn=>pg_lsn [18-]record=>record text=>text tid=>tid time=>time
max: timestamp=>timestamp timestamptz=>timestamptz timetz=>timetz [15-]xid8=>xid8; md5: bytea>text text>text
min: [-11]abstime=>abstime anyarray=>anyarray anyenum=>anyenum bpchar=>bpchar [18-]bytea=>bytea date=>date
min: float4=>float4 float8=>float8 inet=>inet int2=>int2 int4=>int4 int8=>int8 interval=>interval money=>money
min: numeric=>numeric oid=>oid [13-]pg_lsn=>pg_lsn [18-]record=>record text=>text tid=>tid time=>time
min: timestamp=>timestamp timestamptz=>timestamptz timetz=>timetz [15-]xid8=>xid8; min_scale: [13-]numeric>int4
mod: int2,int2>int2 int4,int4>int4 int8,int8>int8 numeric,numeric>numeric; mode: anyelement=>anyelement; money: int4>money int8>money numeric>money
multirange: [14-]anyrange>anymultirange; mxid_age: xid>int4; name: bpchar>name text>name varchar>name; nameconcatoid: [12-]name,oid>name; netmask: inet>inet
network: inet>cidr; nextval: regclass>int8; normalize: [13-]text,text>text; notlike: bytea,bytea>bool name,text>bool text,text>bool; now: >timestamptz
npoints: path>int4 polygon>int4; nth_value: anyelement,int4=>anyelement; ntile: int4=>int4; num_nonnulls: *any>int4; num_nulls: *any>int4
numeric: float4>numeric float8>numeric int2>numeric int4>numeric int8>numeric [11-]jsonb>numeric money>numeric; numeric: numeric,int4>numeric
numeric_div_trunc: numeric,numeric>numeric; numeric_exp: numeric>numeric; numeric_inc: numeric>numeric; numeric_ln: numeric>numeric
numeric_log: numeric,numeric>numeric; numeric_sqrt: numeric>numeric
nummultirange: [14-]*_numrange>nummultirange [14-]>nummultirange [14-]numrange>nummultirange; numnode: tsquery>int4
numrange: numeric,numeric,text>numrange numeric,numeric>numrange; numrange_subdiff: numeric,numeric>float8; obj_description: oid,name>text oid>text
octet_length: bit>int4 bpchar>int4 bytea>int4 text>int4; oid: int8>oid; oidvectortypes: oidvector>text
overlaps: time,interval,time,interval>bool time,interval,time,time>bool time,time,time,interval>bool
overlaps: time,time,time,time>bool timestamp,interval,timestamp,interval>bool
overlaps: timestamp,interval,timestamp,timestamp>bool timestamp,timestamp,timestamp,interval>bool
overlaps: timestamp,timestamp,timestamp,timestamp>bool timestamptz,interval,timestamptz,interval>bool
overlaps: timestamptz,interval,timestamptz,timestamptz>bool timestamptz,timestamptz,timestamptz,interval>bool
overlaps: timestamptz,timestamptz,timestamptz,timestamptz>bool timetz,timetz,timetz,timetz>bool
overlay: bit,bit,int4,int4>bit bit,bit,int4>bit bytea,bytea,int4,int4>bytea bytea,bytea,int4>bytea; overlay: text,text,int4,int4>text text,text,int4>text
parse_ident: text,bool>_text; path: polygon>path; pclose: path>path; percent_rank: *any=>float8 =>float8
percentile_cont: _float8,float8=>_float8 _float8,interval=>_interval float8,float8=>float8 float8,interval=>interval
percentile_disc: _float8,anyelement=>anyarray float8,anyelement=>anyelement; pg_advisory_lock: int4,int4>void int8>void
pg_advisory_lock_shared: int4,int4>void int8>void; pg_advisory_unlock: int4,int4>bool int8>bool; pg_advisory_unlock_all: >void
pg_advisory_unlock_shared: int4,int4>bool int8>bool; pg_advisory_xact_lock: int4,int4>void int8>void; pg_advisory_xact_lock_shared: int4,int4>void int8>void
pg_available_extension_versions: >>record; pg_available_extensions: >>record; pg_available_wal_summaries: [17-]>>record; pg_backend_pid: >int4
pg_backup_start: [15-]text,bool>pg_lsn; pg_backup_start_time: [-14]>timestamptz; pg_backup_stop: [15-]bool>record; pg_basetype: [17-]regtype>regtype
pg_blocking_pids: int4>_int4; pg_cancel_backend: int4>bool; pg_char_to_encoding: name>int4; pg_clear_attribute_stats: [18-]text,text,text,bool>void
pg_clear_relation_stats: [18-]text,text>void; pg_client_encoding: >name; pg_collation_actual_version: oid>text; pg_collation_for: any>text
pg_collation_is_visible: oid>bool; pg_column_compression: [14-]any>text; pg_column_is_updatable: regclass,int2,bool>bool; pg_column_size: any>int4
pg_column_toast_chunk_id: [17-]any>oid; pg_conf_load_time: >timestamptz; pg_config: >>record; pg_control_checkpoint: >record; pg_control_init: >record
pg_control_recovery: >record; pg_control_system: >record; pg_conversion_is_visible: oid>bool
pg_copy_logical_replication_slot: [12-]name,name,bool,name>record [12-]name,name,bool>record [12-]name,name>record
pg_copy_physical_replication_slot: [12-]name,name,bool>record [12-]name,name>record
pg_create_logical_replication_slot: [17-]name,name,bool,bool,bool>record [14-16]name,name,bool,bool>record
pg_create_logical_replication_slot: [-13]name,name,bool>record; pg_create_physical_replication_slot: name,bool,bool>record
pg_create_restore_point: text>pg_lsn; pg_current_logfile: >text text>text; pg_current_snapshot: [13-]>pg_snapshot; pg_current_wal_flush_lsn: >pg_lsn
pg_current_wal_insert_lsn: >pg_lsn; pg_current_wal_lsn: >pg_lsn; pg_current_xact_id: [13-]>xid8; pg_current_xact_id_if_assigned: [13-]>xid8
pg_cursor: >>record; pg_database_collation_actual_version: [15-]oid>text; pg_database_size: name>int8 oid>int8; pg_describe_object: oid,oid,int4>text
pg_drop_replication_slot: name>void; pg_encoding_max_length: int4>int4; pg_encoding_to_char: int4>name; pg_event_trigger_ddl_commands: >>record
pg_event_trigger_dropped_objects: >>record; pg_event_trigger_table_rewrite_oid: >oid; pg_event_trigger_table_rewrite_reason: >int4; pg_export_snapshot: >text
pg_extension_config_dump: regclass,text>void; pg_extension_update_paths: name>>record; pg_filenode_relation: oid,oid>regclass
pg_function_is_visible: oid>bool; pg_get_acl: [18-]oid,oid,int4>_aclitem; pg_get_aios: [18-]>>record; pg_get_backend_memory_contexts: [14-]>>record
pg_get_catalog_foreign_keys: [14-]>>record; pg_get_constraintdef: oid,bool>text oid>text; pg_get_expr: pg_node_tree,oid,bool>text pg_node_tree,oid>text
pg_get_function_arg_default: oid,int4>text; pg_get_function_arguments: oid>text; pg_get_function_identity_arguments: oid>text
pg_get_function_result: oid>text; pg_get_function_sqlbody: [14-]oid>text; pg_get_functiondef: oid>text; pg_get_indexdef: oid,int4,bool>text oid>text
pg_get_keywords: >>record; pg_get_loaded_modules: [18-]>>record; pg_get_multixact_members: xid>>record; pg_get_object_address: text,_text,_text>record
pg_get_partition_constraintdef: oid>text; pg_get_partkeydef: oid>text; pg_get_publication_tables: [16-]*_text>>record [-14]text>>oid [15-15]text>>record
pg_get_replica_identity_index: regclass>regclass; pg_get_replication_slots: >>record; pg_get_ruledef: oid,bool>text oid>text
pg_get_sequence_data: [18-]regclass>record; pg_get_serial_sequence: text,text>text; pg_get_shmem_allocations: [13-]>>record
pg_get_shmem_allocations_numa: [18-]>>record; pg_get_statisticsobjdef: oid>text; pg_get_statisticsobjdef_columns: [14-]oid>text
pg_get_statisticsobjdef_expressions: [14-]oid>_text; pg_get_triggerdef: oid,bool>text oid>text; pg_get_userbyid: oid>name
pg_get_viewdef: oid,bool>text oid,int4>text oid>text text,bool>text text>text; pg_get_wait_events: [17-]>>record; pg_get_wal_replay_pause_state: [14-]>text
pg_get_wal_resource_managers: [15-]>>record; pg_get_wal_summarizer_state: [17-]>record
pg_has_role: name,name,text>bool name,oid,text>bool name,text>bool oid,name,text>bool oid,oid,text>bool oid,text>bool; pg_hba_file_rules: >>record
pg_ident_file_mappings: [15-]>>record; pg_identify_object: oid,oid,int4>record; pg_identify_object_as_address: oid,oid,int4>record
pg_import_system_collations: regnamespace>int4; pg_index_column_has_property: regclass,int4,text>bool; pg_index_has_property: regclass,text>bool
pg_indexam_has_property: oid,text>bool; pg_indexam_progress_phasename: [12-]oid,int8>text; pg_indexes_size: regclass>int8
pg_input_error_info: [16-]text,text>record; pg_input_is_valid: [16-]text,text>bool; pg_is_in_backup: [-14]>bool; pg_is_in_recovery: >bool
pg_is_other_temp_schema: oid>bool; pg_is_wal_replay_paused: >bool; pg_isolation_test_session_is_blocked: int4,_int4>bool; pg_jit_available: [11-]>bool
pg_last_committed_xact: >record; pg_last_wal_receive_lsn: >pg_lsn; pg_last_wal_replay_lsn: >pg_lsn; pg_last_xact_replay_timestamp: >timestamptz
pg_listening_channels: >>text; pg_lock_status: >>record; pg_log_backend_memory_contexts: [14-]int4>bool; pg_log_standby_snapshot: [16-]>pg_lsn
pg_logical_emit_message: [17-]bool,text,bytea,bool>pg_lsn [-16]bool,text,bytea>pg_lsn [17-]bool,text,text,bool>pg_lsn
pg_logical_emit_message: [-16]bool,text,text>pg_lsn; pg_logical_slot_get_binary_changes: name,pg_lsn,int4,*_text>>record
pg_logical_slot_get_changes: name,pg_lsn,int4,*_text>>record; pg_logical_slot_peek_binary_changes: name,pg_lsn,int4,*_text>>record
pg_logical_slot_peek_changes: name,pg_lsn,int4,*_text>>record; pg_ls_archive_statusdir: [12-]>>record; pg_ls_dir: text,bool,bool>>text text>>text
pg_ls_logdir: >>record; pg_ls_logicalmapdir: [15-]>>record; pg_ls_logicalsnapdir: [15-]>>record; pg_ls_replslotdir: [15-]text>>record
pg_ls_summariesdir: [18-]>>record; pg_ls_tmpdir: [12-]>>record [12-]oid>>record; pg_ls_waldir: >>record; pg_lsn: [14-]numeric>pg_lsn
pg_mcv_list_items: [12-]pg_mcv_list>>record; pg_my_temp_schema: >oid; pg_nextoid: [12-]regclass,name,regclass>oid; pg_notification_queue_usage: >float8
pg_notify: text,text>void; pg_numa_available: [18-]>bool; pg_opclass_is_visible: oid>bool; pg_operator_is_visible: oid>bool; pg_opfamily_is_visible: oid>bool
pg_options_to_table: _text>>record; pg_partition_ancestors: [12-]regclass>>regclass; pg_partition_root: [12-]regclass>regclass
pg_partition_tree: [12-]regclass>>record; pg_postmaster_start_time: >timestamptz; pg_prepared_statement: >>record; pg_prepared_xact: >>record
pg_promote: [12-]bool,int4>bool; pg_read_binary_file: [16-]text,bool>bytea text,int8,int8,bool>bytea text,int8,int8>bytea text>bytea
pg_read_file: [16-]text,bool>text text,int8,int8,bool>text text,int8,int8>text text>text; pg_read_file_old: [11-16]text,int8,int8>text
pg_relation_filenode: regclass>oid; pg_relation_filepath: regclass>text; pg_relation_is_publishable: regclass>bool
pg_relation_is_updatable: regclass,bool>int4; pg_relation_size: regclass,text>int8 regclass>int8; pg_reload_conf: >bool
pg_replication_origin_advance: text,pg_lsn>void; pg_replication_origin_create: text>oid; pg_replication_origin_drop: text>void
pg_replication_origin_oid: text>oid; pg_replication_origin_progress: text,bool>pg_lsn; pg_replication_origin_session_is_setup: >bool
pg_replication_origin_session_progress: bool>pg_lsn; pg_replication_origin_session_reset: >void; pg_replication_origin_session_setup: text>void
pg_replication_origin_xact_reset: >void; pg_replication_origin_xact_setup: pg_lsn,timestamptz>void; pg_replication_slot_advance: [11-]name,pg_lsn>record
pg_restore_attribute_stats: [18-]*any>bool; pg_restore_relation_stats: [18-]*any>bool; pg_rotate_logfile: >bool; pg_rotate_logfile_old: [11-16]>bool
pg_safe_snapshot_blocking_pids: int4>_int4; pg_sequence_last_value: regclass>int8; pg_sequence_parameters: oid>record; pg_settings_get_flags: [15-]text>_text
pg_show_all_file_settings: >>record; pg_show_all_settings: >>record; pg_show_replication_origin_status: >>record; pg_size_bytes: text>int8
pg_size_pretty: int8>text numeric>text; pg_sleep: float8>void; pg_sleep_for: interval>void; pg_sleep_until: timestamptz>void
pg_snapshot_xip: [13-]pg_snapshot>>xid8; pg_snapshot_xmax: [13-]pg_snapshot>xid8; pg_snapshot_xmin: [13-]pg_snapshot>xid8
pg_split_walfile_name: [16-]text>record; pg_start_backup: [-14]text,bool,bool>pg_lsn; pg_stat_clear_snapshot: >void
pg_stat_file: text,bool>record text>record; pg_stat_force_next_flush: [15-]>void; pg_stat_get_activity: int4>>record; pg_stat_get_analyze_count: oid>int8
pg_stat_get_archiver: >record; pg_stat_get_autoanalyze_count: oid>int8; pg_stat_get_autovacuum_count: oid>int8; pg_stat_get_backend_activity: int4>text
pg_stat_get_backend_activity_start: int4>timestamptz; pg_stat_get_backend_client_addr: int4>inet; pg_stat_get_backend_client_port: int4>int4
pg_stat_get_backend_dbid: int4>oid; pg_stat_get_backend_idset: >>int4; pg_stat_get_backend_io: [18-]int4>>record; pg_stat_get_backend_pid: int4>int4
pg_stat_get_backend_start: int4>timestamptz; pg_stat_get_backend_subxact: [16-]int4>record; pg_stat_get_backend_userid: int4>oid
pg_stat_get_backend_wait_event: int4>text; pg_stat_get_backend_wait_event_type: int4>text; pg_stat_get_backend_wal: [18-]int4>record
pg_stat_get_backend_xact_start: int4>timestamptz; pg_stat_get_bgwriter_buf_written_checkpoints: [-16]>int8; pg_stat_get_bgwriter_buf_written_clean: >int8
pg_stat_get_bgwriter_maxwritten_clean: >int8; pg_stat_get_bgwriter_requested_checkpoints: [-16]>int8; pg_stat_get_bgwriter_stat_reset_time: >timestamptz
pg_stat_get_bgwriter_timed_checkpoints: [-16]>int8; pg_stat_get_blocks_fetched: oid>int8; pg_stat_get_blocks_hit: oid>int8; pg_stat_get_buf_alloc: >int8
pg_stat_get_buf_fsync_backend: [-16]>int8; pg_stat_get_buf_written_backend: [-16]>int8; pg_stat_get_checkpoint_sync_time: [-16]>float8
pg_stat_get_checkpoint_write_time: [-16]>float8; pg_stat_get_checkpointer_buffers_written: [17-]>int8; pg_stat_get_checkpointer_num_performed: [18-]>int8
pg_stat_get_checkpointer_num_requested: [17-]>int8; pg_stat_get_checkpointer_num_timed: [17-]>int8
pg_stat_get_checkpointer_restartpoints_performed: [17-]>int8; pg_stat_get_checkpointer_restartpoints_requested: [17-]>int8
pg_stat_get_checkpointer_restartpoints_timed: [17-]>int8; pg_stat_get_checkpointer_slru_written: [18-]>int8
pg_stat_get_checkpointer_stat_reset_time: [17-]>timestamptz; pg_stat_get_checkpointer_sync_time: [17-]>float8
pg_stat_get_checkpointer_write_time: [17-]>float8; pg_stat_get_db_active_time: [14-]oid>float8; pg_stat_get_db_blk_read_time: oid>float8
pg_stat_get_db_blk_write_time: oid>float8; pg_stat_get_db_blocks_fetched: oid>int8; pg_stat_get_db_blocks_hit: oid>int8
pg_stat_get_db_checksum_failures: [12-]oid>int8; pg_stat_get_db_checksum_last_failure: [12-]oid>timestamptz; pg_stat_get_db_conflict_all: oid>int8
pg_stat_get_db_conflict_bufferpin: oid>int8; pg_stat_get_db_conflict_lock: oid>int8; pg_stat_get_db_conflict_logicalslot: [16-]oid>int8
pg_stat_get_db_conflict_snapshot: oid>int8; pg_stat_get_db_conflict_startup_deadlock: oid>int8; pg_stat_get_db_conflict_tablespace: oid>int8
pg_stat_get_db_deadlocks: oid>int8; pg_stat_get_db_idle_in_transaction_time: [14-]oid>float8; pg_stat_get_db_numbackends: oid>int4
pg_stat_get_db_parallel_workers_launched: [18-]oid>int8; pg_stat_get_db_parallel_workers_to_launch: [18-]oid>int8
pg_stat_get_db_session_time: [14-]oid>float8; pg_stat_get_db_sessions: [14-]oid>int8; pg_stat_get_db_sessions_abandoned: [14-]oid>int8
pg_stat_get_db_sessions_fatal: [14-]oid>int8; pg_stat_get_db_sessions_killed: [14-]oid>int8; pg_stat_get_db_stat_reset_time: oid>timestamptz
pg_stat_get_db_temp_bytes: oid>int8; pg_stat_get_db_temp_files: oid>int8; pg_stat_get_db_tuples_deleted: oid>int8; pg_stat_get_db_tuples_fetched: oid>int8
pg_stat_get_db_tuples_inserted: oid>int8; pg_stat_get_db_tuples_returned: oid>int8; pg_stat_get_db_tuples_updated: oid>int8
pg_stat_get_db_xact_commit: oid>int8; pg_stat_get_db_xact_rollback: oid>int8; pg_stat_get_dead_tuples: oid>int8; pg_stat_get_function_calls: oid>int8
pg_stat_get_function_self_time: oid>float8; pg_stat_get_function_total_time: oid>float8; pg_stat_get_ins_since_vacuum: [13-]oid>int8
pg_stat_get_io: [16-]>>record; pg_stat_get_last_analyze_time: oid>timestamptz; pg_stat_get_last_autoanalyze_time: oid>timestamptz
pg_stat_get_last_autovacuum_time: oid>timestamptz; pg_stat_get_last_vacuum_time: oid>timestamptz; pg_stat_get_lastscan: [16-]oid>timestamptz
pg_stat_get_live_tuples: oid>int8; pg_stat_get_mod_since_analyze: oid>int8; pg_stat_get_numscans: oid>int8; pg_stat_get_progress_info: text>>record
pg_stat_get_recovery_prefetch: [15-]>>record; pg_stat_get_replication_slot: [14-14]text>>record [15-]text>record; pg_stat_get_slru: [13-]>>record
pg_stat_get_snapshot_timestamp: >timestamptz; pg_stat_get_subscription: [14-]oid>>record [-13]oid>record; pg_stat_get_subscription_stats: [15-]oid>record
pg_stat_get_total_analyze_time: [18-]oid>float8; pg_stat_get_total_autoanalyze_time: [18-]oid>float8; pg_stat_get_total_autovacuum_time: [18-]oid>float8
pg_stat_get_total_vacuum_time: [18-]oid>float8; pg_stat_get_tuples_deleted: oid>int8; pg_stat_get_tuples_fetched: oid>int8
pg_stat_get_tuples_hot_updated: oid>int8; pg_stat_get_tuples_inserted: oid>int8; pg_stat_get_tuples_newpage_updated: [16-]oid>int8
pg_stat_get_tuples_returned: oid>int8; pg_stat_get_tuples_updated: oid>int8; pg_stat_get_vacuum_count: oid>int8; pg_stat_get_wal: [14-]>record
pg_stat_get_wal_receiver: >record; pg_stat_get_wal_senders: >>record; pg_stat_get_xact_blocks_fetched: oid>int8; pg_stat_get_xact_blocks_hit: oid>int8
pg_stat_get_xact_function_calls: oid>int8; pg_stat_get_xact_function_self_time: oid>float8; pg_stat_get_xact_function_total_time: oid>float8
pg_stat_get_xact_numscans: oid>int8; pg_stat_get_xact_tuples_deleted: oid>int8; pg_stat_get_xact_tuples_fetched: oid>int8
pg_stat_get_xact_tuples_hot_updated: oid>int8; pg_stat_get_xact_tuples_inserted: oid>int8; pg_stat_get_xact_tuples_newpage_updated: [16-]oid>int8
pg_stat_get_xact_tuples_returned: oid>int8; pg_stat_get_xact_tuples_updated: oid>int8; pg_stat_have_stats: [18-]text,oid,int8>bool [15-17]text,oid,oid>bool
pg_stat_reset: >void; pg_stat_reset_backend_stats: [18-]int4>void; pg_stat_reset_replication_slot: [14-]text>void; pg_stat_reset_shared: text>void
pg_stat_reset_single_function_counters: oid>void; pg_stat_reset_single_table_counters: oid>void; pg_stat_reset_slru: [13-]text>void
pg_stat_reset_subscription_stats: [15-]oid>void; pg_statistics_obj_is_visible: oid>bool; pg_stop_backup: [-14]>pg_lsn [-14]bool,bool>>record
pg_stop_making_pinned_objects: [15-]>void; pg_switch_wal: >pg_lsn; pg_sync_replication_slots: [17-]>void; pg_table_is_visible: oid>bool
pg_table_size: regclass>int8; pg_tablespace_databases: oid>>oid; pg_tablespace_location: oid>text; pg_tablespace_size: name>int8 oid>int8
pg_terminate_backend: [14-]int4,int8>bool [-13]int4>bool; pg_timezone_abbrevs: [-17]>>record; pg_timezone_abbrevs_abbrevs: [18-]>>record
pg_timezone_abbrevs_zone: [18-]>>record; pg_timezone_names: >>record; pg_total_relation_size: regclass>int8; pg_trigger_depth: >int4
pg_try_advisory_lock: int4,int4>bool int8>bool; pg_try_advisory_lock_shared: int4,int4>bool int8>bool; pg_try_advisory_xact_lock: int4,int4>bool int8>bool
pg_try_advisory_xact_lock_shared: int4,int4>bool int8>bool; pg_ts_config_is_visible: oid>bool; pg_ts_dict_is_visible: oid>bool
pg_ts_parser_is_visible: oid>bool; pg_ts_template_is_visible: oid>bool; pg_type_is_visible: oid>bool; pg_typeof: any>regtype
pg_visible_in_snapshot: [13-]xid8,pg_snapshot>bool; pg_wal_lsn_diff: pg_lsn,pg_lsn>numeric; pg_wal_replay_pause: >void; pg_wal_replay_resume: >void
pg_wal_summary_contents: [17-]int8,pg_lsn,pg_lsn>>record; pg_walfile_name: pg_lsn>text; pg_walfile_name_offset: pg_lsn>record
pg_xact_commit_timestamp: xid>timestamptz; pg_xact_commit_timestamp_origin: [14-]xid>record; pg_xact_status: [13-]xid8>text
phraseto_tsquery: regconfig,text>tsquery text>tsquery; pi: >float8; plainto_tsquery: regconfig,text>tsquery text>tsquery
plpgsql_call_handler: >language_handler; plpgsql_validator: oid>void
point: box>point circle>point float8,float8>point lseg>point [-14]path>point polygon>point
polygon: box>polygon circle>polygon int4,circle>polygon path>polygon; popen: path>path; position: bit,bit>int4 bytea,bytea>int4 text,text>int4
postgresql_fdw_validator: _text,oid>bool; pow: float8,float8>float8 numeric,numeric>numeric; power: float8,float8>float8 numeric,numeric>numeric
query_to_xml: text,bool,bool,text>xml; query_to_xml_and_xmlschema: text,bool,bool,text>xml; query_to_xmlschema: text,bool,bool,text>xml
querytree: tsquery>text; quote_ident: text>text; quote_literal: anyelement>text text>text; quote_nullable: anyelement>text text>text; radians: float8>float8
radius: circle>float8; random: >float8 [17-]int4,int4>int4 [17-]int8,int8>int8 [17-]numeric,numeric>numeric; random_normal: [16-]float8,float8>float8
range_agg: [15-]anymultirange=>anymultirange [14-]anyrange=>anymultirange; range_intersect_agg: [14-]anymultirange=>anymultirange [14-]anyrange=>anyrange
range_merge: [14-]anymultirange>anyrange; rank: *any=>int8 =>int8; regclass: text>regclass
regexp_count: [15-]text,text,int4,text>int4 [15-]text,text,int4>int4 [15-]text,text>int4
regexp_instr: [15-]text,text,int4,int4,int4,text,int4>int4 [15-]text,text,int4,int4,int4,text>int4
regexp_instr: [15-]text,text,int4,int4,int4>int4 [15-]text,text,int4,int4>int4 [15-]text,text,int4>int4; regexp_instr: [15-]text,text>int4
regexp_like: [15-]text,text,text>bool [15-]text,text>bool; regexp_match: text,text,text>_text text,text>_text
regexp_matches: text,text,text>>_text text,text>>_text; regexp_replace: [15-]text,text,text,int4,int4,text>text [15-]text,text,text,int4,int4>text
regexp_replace: [15-]text,text,text,int4>text text,text,text,text>text text,text,text>text; regexp_split_to_array: text,text,text>_text text,text>_text
regexp_split_to_table: text,text,text>>text text,text>>text; regexp_substr: [15-]text,text,int4,int4,text,int4>text [15-]text,text,int4,int4,text>text
regexp_substr: [15-]text,text,int4,int4>text [15-]text,text,int4>text [15-]text,text>text; regr_avgx: float8,float8=>float8; regr_avgy: float8,float8=>float8
regr_count: float8,float8=>int8; regr_intercept: float8,float8=>float8; regr_r2: float8,float8=>float8; regr_slope: float8,float8=>float8
regr_sxx: float8,float8=>float8; regr_sxy: float8,float8=>float8; regr_syy: float8,float8=>float8; reltime: [-11]interval>reltime; repeat: text,int4>text
replace: text,text,text>text; reverse: [18-]bytea>bytea text>text; right: text,int4>text; round: float8>float8 numeric,int4>numeric numeric>numeric
row_number: =>int8; row_security_active: oid>bool text>bool; row_to_json: record,bool>json record>json; rpad: text,int4,text>text text,int4>text
rtrim: [14-]bytea,bytea>bytea text,text>text text>text; satisfies_hash_partition: [11-]oid,int4,int4,*any>bool; scale: numeric>int4
schema_to_xml: name,bool,bool,text>xml; schema_to_xml_and_xmlschema: name,bool,bool,text>xml; schema_to_xmlschema: name,bool,bool,text>xml
session_user: >name; set_bit: bit,int4,int4>bit [-12]bytea,int4,int4>bytea [13-]bytea,int8,int4>bytea; set_byte: bytea,int4,int4>bytea
set_config: text,text,bool>text; set_masklen: cidr,int4>cidr inet,int4>inet; setseed: float8>void; setval: regclass,int8,bool>int8 regclass,int8>int8
setweight: tsvector,char,_text>tsvector tsvector,char>tsvector; sha224: [11-]bytea>bytea; sha256: [11-]bytea>bytea; sha384: [11-]bytea>bytea
sha512: [11-]bytea>bytea; shell_in: [-12]cstring>opaque [13-]cstring>void; shell_out: [-12]opaque>cstring [13-]void>cstring; shobj_description: oid,name>text
sign: float8>float8 numeric>numeric; similar_escape: text,text>text; similar_to_escape: [13-]text,text>text [13-]text>text; sin: float8>float8
sind: float8>float8; sinh: [12-]float8>float8; slope: point,point>float8; smgreq: [-11]smgr,smgr>bool; smgrne: [-11]smgr,smgr>bool
split_part: text,text,int4>text; sqrt: float8>float8 numeric>numeric; starts_with: [11-]text,text>bool; statement_timestamp: >timestamptz
stddev: float4=>float8 float8=>float8 int2=>numeric int4=>numeric int8=>numeric numeric=>numeric
stddev_pop: float4=>float8 float8=>float8 int2=>numeric int4=>numeric int8=>numeric numeric=>numeric
stddev_samp: float4=>float8 float8=>float8 int2=>numeric int4=>numeric int8=>numeric numeric=>numeric; string_agg: bytea,bytea=>bytea text,text=>text
string_to_array: text,text,text>_text text,text>_text; string_to_table: [14-]text,text,text>>text [14-]text,text>>text; strip: tsvector>tsvector
strpos: text,text>int4; substr: bytea,int4,int4>bytea bytea,int4>bytea text,int4,int4>text text,int4>text
substring: bit,int4,int4>bit bit,int4>bit bytea,int4,int4>bytea bytea,int4>bytea text,int4,int4>text text,int4>text
substring: text,text,text>text text,text>text; sum: float4=>float4 float8=>float8 int2=>int8 int4=>int8 int8=>numeric interval=>interval money=>money
sum: numeric=>numeric; system_user: [16-]>text; table_to_xml: regclass,bool,bool,text>xml; table_to_xml_and_xmlschema: regclass,bool,bool,text>xml
table_to_xmlschema: regclass,bool,bool,text>xml; tan: float8>float8; tand: float8>float8; tanh: [12-]float8>float8
text: bool>text bpchar>text char>text inet>text name>text xml>text; textlen: text>int4
time: [-11]abstime>time interval>time time,int4>time timestamp>time timestamptz>time timetz>time; timenow: [-11]>abstime; timeofday: >text
timestamp: [-11]abstime>timestamp date,time>timestamp date>timestamp timestamp,int4>timestamp timestamptz>timestamp
timestamptz: [-11]abstime>timestamptz date,time>timestamptz date,timetz>timestamptz date>timestamptz
timestamptz: timestamp>timestamptz timestamptz,int4>timestamptz; timetz: time>timetz timestamptz>timetz timetz,int4>timetz
timezone: interval,timestamp>timestamptz interval,timestamptz>timestamp interval,timetz>timetz
timezone: text,timestamp>timestamptz text,timestamptz>timestamp text,timetz>timetz [17-]timestamp>timestamptz
timezone: [17-]timestamptz>timestamp [17-]timetz>timetz; tinterval: [-11]abstime,abstime>tinterval; tintervalend: [-11]tinterval>abstime
tintervalrel: [-11]tinterval>reltime; to_ascii: text,int4>text text,name>text text>text; to_bin: [17-]int4>text [17-]int8>text
to_char: float4,text>text float8,text>text int4,text>text int8,text>text interval,text>text numeric,text>text
to_char: timestamp,text>text timestamptz,text>text; to_date: text,text>date; to_hex: int4>text int8>text; to_json: anyelement>json
to_jsonb: anyelement>jsonb; to_number: text,text>numeric; to_oct: [17-]int4>text [17-]int8>text; to_regclass: text>regclass
to_regcollation: [13-]text>regcollation; to_regnamespace: text>regnamespace; to_regoper: text>regoper; to_regoperator: text>regoperator
to_regproc: text>regproc; to_regprocedure: text>regprocedure; to_regrole: text>regrole; to_regtype: text>regtype; to_regtypemod: [17-]text>int4
to_timestamp: float8>timestamptz text,text>timestamptz; to_tsquery: regconfig,text>tsquery text>tsquery
to_tsvector: json>tsvector jsonb>tsvector regconfig,json>tsvector regconfig,jsonb>tsvector regconfig,text>tsvector; to_tsvector: text>tsvector
transaction_timestamp: >timestamptz; translate: text,text,text>text; trim_array: [14-]anyarray,int4>anyarray; trim_scale: [13-]numeric>numeric
trunc: float8>float8 macaddr8>macaddr8 macaddr>macaddr numeric,int4>numeric numeric>numeric; ts_debug: regconfig,text>>record text>>record
ts_delete: tsvector,_text>tsvector tsvector,text>tsvector; ts_filter: tsvector,_char>tsvector
ts_headline: json,tsquery,text>json json,tsquery>json jsonb,tsquery,text>jsonb jsonb,tsquery>jsonb
ts_headline: regconfig,json,tsquery,text>json regconfig,json,tsquery>json regconfig,jsonb,tsquery,text>jsonb
ts_headline: regconfig,jsonb,tsquery>jsonb regconfig,text,tsquery,text>text regconfig,text,tsquery>text
ts_headline: text,tsquery,text>text text,tsquery>text; ts_lexize: regdictionary,text>_text; ts_parse: oid,text>>record text,text>>record
ts_rank: _float4,tsvector,tsquery,int4>float4 _float4,tsvector,tsquery>float4 tsvector,tsquery,int4>float4; ts_rank: tsvector,tsquery>float4
ts_rank_cd: _float4,tsvector,tsquery,int4>float4 _float4,tsvector,tsquery>float4 tsvector,tsquery,int4>float4; ts_rank_cd: tsvector,tsquery>float4
ts_rewrite: tsquery,text>tsquery tsquery,tsquery,tsquery>tsquery; ts_stat: text,text>>record text>>record; ts_token_type: oid>>record text>>record
tsmultirange: [14-]*_tsrange>tsmultirange [14-]>tsmultirange [14-]tsrange>tsmultirange; tsquery_phrase: tsquery,tsquery,int4>tsquery
tsrange: timestamp,timestamp,text>tsrange timestamp,timestamp>tsrange; tsrange_subdiff: timestamp,timestamp>float8
tstzmultirange: [14-]*_tstzrange>tstzmultirange [14-]>tstzmultirange [14-]tstzrange>tstzmultirange
tstzrange: timestamptz,timestamptz,text>tstzrange timestamptz,timestamptz>tstzrange; tstzrange_subdiff: timestamptz,timestamptz>float8
tsvector_to_array: tsvector>_text; txid_current: >int8; txid_current_if_assigned: >int8; txid_current_snapshot: >txid_snapshot
txid_snapshot_xip: txid_snapshot>>int8; txid_snapshot_xmax: txid_snapshot>int8; txid_snapshot_xmin: txid_snapshot>int8; txid_status: int8>text
txid_visible_in_snapshot: int8,txid_snapshot>bool; unicode_assigned: [17-]text>bool; unicode_version: [17-]>text; unistr: [14-]text>text
unnest: anyarray>>anyelement [14-]anymultirange>>anyrange tsvector>>record; upper: [14-]anymultirange>anyelement anyrange>anyelement text>text
upper_inc: [14-]anymultirange>bool anyrange>bool; upper_inf: [14-]anymultirange>bool anyrange>bool; uuid_extract_timestamp: [17-]uuid>timestamptz
uuid_extract_version: [17-]uuid>int2; uuidv4: [18-]>uuid; uuidv7: [18-]>uuid [18-]interval>uuid
var_pop: float4=>float8 float8=>float8 int2=>numeric int4=>numeric int8=>numeric numeric=>numeric
var_samp: float4=>float8 float8=>float8 int2=>numeric int4=>numeric int8=>numeric numeric=>numeric; varbit: varbit,int4,bool>varbit
varchar: name>varchar varchar,int4,bool>varchar; variance: float4=>float8 float8=>float8 int2=>numeric int4=>numeric int8=>numeric numeric=>numeric
version: >text; websearch_to_tsquery: [11-]regconfig,text>tsquery [11-]text>tsquery; width: box>float8
width_bucket: [14-]anycompatible,anycompatiblearray>int4 [-13]anyelement,anyarray>int4 float8,float8,float8,int4>int4
width_bucket: numeric,numeric,numeric,int4>int4; xid: [13-]xid8>xid; xml: text>xml; xml_is_well_formed: text>bool; xml_is_well_formed_content: text>bool
xml_is_well_formed_document: text>bool; xmlagg: xml=>xml; xmlcomment: text>xml; xmlexists: text,xml>bool; xmltext: [17-]text>xml; xmlvalidate: xml,text>bool
xpath: text,xml,_text>_xml text,xml>_xml; xpath_exists: text,xml,_text>bool text,xml>bool
`;
