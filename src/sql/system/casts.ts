/**
 * Casts of servers 10 to 18, recorded from them by scripts/record-catalogs.mjs: source type, then each target with
 * castcontext (i implicit, a assignment, e explicit) and castmethod (b relabelled, f function, i by text).
 */
export const castLines = `
abstime: [-11]date/af [-11]int4/eb [-11]time/af [-11]timestamp/if [-11]timestamptz/if
bit: bit/if int4/ef int8/ef varbit/ib
bool: bpchar/af int4/ef text/af varchar/af
box: circle/ef lseg/ef point/ef polygon/af
bpchar: bpchar/if char/af name/if text/if varchar/if xml/ef
bytea: [18-]int2/ef [18-]int4/ef [18-]int8/ef
char: bpchar/af int4/ef text/if varchar/af
cidr: bpchar/af inet/ib text/af varchar/af
circle: box/ef point/ef polygon/ef
date: timestamp/if timestamptz/if
daterange: [14-]datemultirange/ef
float4: float8/if int2/af int4/af int8/af numeric/af
float8: float4/af int2/af int4/af int8/af numeric/af
inet: bpchar/af cidr/af text/af varchar/af
int2: [18-]bytea/ef float4/if float8/if int4/if int8/if numeric/if oid/if regclass/if [13-]regcollation/if
int2: regconfig/if regdictionary/if regnamespace/if regoper/if regoperator/if regproc/if regprocedure/if regrole/if
int2: regtype/if
int4: [-11]abstime/eb bit/ef bool/ef [18-]bytea/ef char/ef float4/if float8/if int2/af int8/if money/af numeric/if
int4: oid/ib regclass/ib [13-]regcollation/ib regconfig/ib regdictionary/ib regnamespace/ib regoper/ib regoperator/ib
int4: regproc/ib regprocedure/ib regrole/ib regtype/ib [-11]reltime/eb
int4range: [14-]int4multirange/ef
int8: bit/ef [18-]bytea/ef float4/if float8/if int2/af int4/af money/af numeric/if oid/if regclass/if
int8: [13-]regcollation/if regconfig/if regdictionary/if regnamespace/if regoper/if regoperator/if regproc/if
int8: regprocedure/if regrole/if regtype/if
int8range: [14-]int8multirange/ef
interval: interval/if [-11]reltime/af time/af
json: jsonb/ai
jsonb: [11-]bool/ef [11-]float4/ef [11-]float8/ef [11-]int2/ef [11-]int4/ef [11-]int8/ef json/ai [11-]numeric/ef
lseg: point/ef
macaddr: macaddr8/if
macaddr8: macaddr/if
money: numeric/af
name: bpchar/af text/if varchar/af
numeric: float4/if float8/if int2/af int4/af int8/af money/af numeric/if
numrange: [14-]nummultirange/ef
oid: int4/ab int8/af regclass/ib [13-]regcollation/ib regconfig/ib regdictionary/ib regnamespace/ib regoper/ib
oid: regoperator/ib regproc/ib regprocedure/ib regrole/ib regtype/ib
path: [-14]point/ef polygon/af
pg_dependencies: bytea/ib text/ii
pg_mcv_list: [12-]bytea/ib [12-]text/ii
pg_ndistinct: bytea/ib text/ii
pg_node_tree: text/ib
point: box/af
polygon: box/ef circle/ef path/af point/ef
regclass: int4/ab int8/af oid/ib
regcollation: [13-]int4/ab [13-]int8/af [13-]oid/ib
regconfig: int4/ab int8/af oid/ib
regdictionary: int4/ab int8/af oid/ib
regnamespace: int4/ab int8/af oid/ib
regoper: int4/ab int8/af oid/ib regoperator/ib
regoperator: int4/ab int8/af oid/ib regoper/ib
regproc: int4/ab int8/af oid/ib regprocedure/ib
regprocedure: int4/ab int8/af oid/ib regproc/ib
regrole: int4/ab int8/af oid/ib
regtype: int4/ab int8/af oid/ib
reltime: [-11]int4/eb [-11]interval/if
text: bpchar/ib char/af name/if regclass/if varchar/ib xml/ef
time: interval/if time/if timetz/if
timestamp: [-11]abstime/af date/af time/af timestamp/if timestamptz/if
timestamptz: [-11]abstime/af date/af time/af timestamp/af timestamptz/if timetz/af
timetz: time/af timetz/if
tsrange: [14-]tsmultirange/ef
tstzrange: [14-]tstzmultirange/ef
varbit: bit/ib varbit/if
varchar: bpchar/ib char/af name/if regclass/if text/ib varchar/if xml/ef
xid8: [13-]xid/ef
xml: bpchar/ab text/ab varchar/ab
`;
