/**
 * Operators of servers 10 to 18, recorded from them by scripts/record-catalogs.mjs: name, result type, then the pairs of
 * left,right operand types (nothing in front of the comma: prefix operator). [14-] in front: the majors that have it.
 */
export const operatorLines = `
! numeric: [-13]int8,
!! numeric: [-13],int8
!! tsquery: ,tsquery
!~ bool: bpchar,text name,text text,text
!~* bool: bpchar,text name,text text,text
!~~ bool: bpchar,text bytea,bytea name,text text,text
!~~* bool: bpchar,text name,text text,text
# bit: bit,bit
# box: box,box
# int2: int2,int2
# int4: ,path ,polygon int4,int4
# int8: int8,int8
# point: line,line lseg,lseg
## point: [-14]line,box line,lseg lseg,box [-14]lseg,line lseg,lseg point,box point,line point,lseg
#- jsonb: jsonb,_text
#< bool: [-11]tinterval,reltime
#<= bool: [-11]tinterval,reltime
#<> bool: [-11]tinterval,reltime
#= bool: [-11]tinterval,reltime
#> bool: [-11]tinterval,reltime
#> json: json,_text
#> jsonb: jsonb,_text
#>= bool: [-11]tinterval,reltime
#>> text: json,_text jsonb,_text
% int2: int2,int2
% int4: int4,int4
% int8: int8,int8
% numeric: numeric,numeric
& bit: bit,bit
& inet: inet,inet
& int2: int2,int2
& int4: int4,int4
& int8: int8,int8
& macaddr: macaddr,macaddr
& macaddr8: macaddr8,macaddr8
&& bool: anyarray,anyarray [14-]anymultirange,anymultirange [14-]anymultirange,anyrange [14-]anyrange,anymultirange
&& bool: anyrange,anyrange box,box circle,circle inet,inet polygon,polygon [-11]tinterval,tinterval
&& tsquery: tsquery,tsquery
&< bool: [14-]anymultirange,anymultirange [14-]anymultirange,anyrange [14-]anyrange,anymultirange anyrange,anyrange
&< bool: box,box circle,circle polygon,polygon
&<| bool: box,box circle,circle polygon,polygon
&> bool: [14-]anymultirange,anymultirange [14-]anymultirange,anyrange [14-]anyrange,anymultirange anyrange,anyrange
&> bool: box,box circle,circle polygon,polygon
* anymultirange: [14-]anymultirange,anymultirange
* anyrange: anyrange,anyrange
* box: box,point
* circle: circle,point
* float4: float4,float4
* float8: float4,float8 float8,float4 float8,float8
* int2: int2,int2
* int4: int2,int4 int4,int2 int4,int4
* int8: int2,int8 int4,int8 int8,int2 int8,int4 int8,int8
* interval: float8,interval interval,float8
* money: float4,money float8,money int2,money int4,money int8,money money,float4 money,float8 money,int2 money,int4
* money: money,int8
* numeric: numeric,numeric
* path: path,point
* point: point,point
*< bool: record,record
*<= bool: record,record
*<> bool: record,record
*= bool: record,record
*> bool: record,record
*>= bool: record,record
+ _aclitem: _aclitem,aclitem
+ abstime: [-11]abstime,reltime
+ anymultirange: [14-]anymultirange,anymultirange
+ anyrange: anyrange,anyrange
+ box: box,point
+ circle: circle,point
+ date: date,int4 int4,date
+ float4: ,float4 float4,float4
+ float8: ,float8 float4,float8 float8,float4 float8,float8
+ inet: inet,int8 int8,inet
+ int2: ,int2 int2,int2
+ int4: ,int4 int2,int4 int4,int2 int4,int4
+ int8: ,int8 int2,int8 int4,int8 int8,int2 int8,int4 int8,int8
+ interval: interval,interval
+ money: money,money
+ numeric: ,numeric numeric,numeric
+ path: path,path path,point
+ pg_lsn: [14-]numeric,pg_lsn [14-]pg_lsn,numeric
+ point: point,point
+ time: interval,time time,interval
+ timestamp: date,interval date,time interval,date interval,timestamp time,date timestamp,interval
+ timestamptz: date,timetz interval,timestamptz timestamptz,interval timetz,date
+ timetz: interval,timetz timetz,interval
- _aclitem: _aclitem,aclitem
- abstime: [-11]abstime,reltime
- anymultirange: [14-]anymultirange,anymultirange
- anyrange: anyrange,anyrange
- box: box,point
- circle: circle,point
- date: date,int4
- float4: ,float4 float4,float4
- float8: ,float8 float4,float8 float8,float4 float8,float8
- inet: inet,int8
- int2: ,int2 int2,int2
- int4: ,int4 date,date int2,int4 int4,int2 int4,int4
- int8: ,int8 inet,inet int2,int8 int4,int8 int8,int2 int8,int4 int8,int8
- interval: ,interval interval,interval time,time timestamp,timestamp timestamptz,timestamptz
- jsonb: jsonb,_text jsonb,int4 jsonb,text
- money: money,money
- numeric: ,numeric numeric,numeric pg_lsn,pg_lsn
- path: path,point
- pg_lsn: [14-]pg_lsn,numeric
- point: point,point
- time: time,interval
- timestamp: date,interval timestamp,interval
- timestamptz: timestamptz,interval
- timetz: timetz,interval
-> json: json,int4 json,text
-> jsonb: jsonb,int4 jsonb,text
->> text: json,int4 json,text jsonb,int4 jsonb,text
-|- bool: [14-]anymultirange,anymultirange [14-]anymultirange,anyrange [14-]anyrange,anymultirange anyrange,anyrange
/ box: box,point
/ circle: circle,point
/ float4: float4,float4
/ float8: float4,float8 float8,float4 float8,float8 money,money
/ int2: int2,int2
/ int4: int2,int4 int4,int2 int4,int4
/ int8: int2,int8 int4,int8 int8,int2 int8,int4 int8,int8
/ interval: interval,float8
/ money: money,float4 money,float8 money,int2 money,int4 money,int8
/ numeric: numeric,numeric
/ path: path,point
/ point: point,point
< bool: [-11]abstime,abstime anyarray,anyarray anyenum,anyenum [14-]anymultirange,anymultirange anyrange,anyrange
< bool: bit,bit bool,bool box,box bpchar,bpchar bytea,bytea char,char circle,circle date,date date,timestamp
< bool: date,timestamptz float4,float4 float4,float8 float8,float4 float8,float8 inet,inet int2,int2 int2,int4
< bool: int2,int8 int4,int2 int4,int4 int4,int8 int8,int2 int8,int4 int8,int8 interval,interval jsonb,jsonb lseg,lseg
< bool: macaddr,macaddr macaddr8,macaddr8 money,money name,name [12-]name,text numeric,numeric oid,oid
< bool: oidvector,oidvector path,path pg_lsn,pg_lsn record,record [-11]reltime,reltime [12-]text,name text,text
< bool: tid,tid time,time timestamp,date timestamp,timestamp timestamp,timestamptz timestamptz,date
< bool: timestamptz,timestamp timestamptz,timestamptz timetz,timetz [-11]tinterval,tinterval tsquery,tsquery
< bool: tsvector,tsvector uuid,uuid varbit,varbit [13-]xid8,xid8
<#> tinterval: [-11]abstime,abstime
<-> float8: box,box [13-14]box,line [13-]box,lseg [13-]box,point circle,circle circle,point circle,polygon
<-> float8: [-14]line,box line,line [13-]line,lseg [13-]line,point lseg,box lseg,line lseg,lseg [13-]lseg,point
<-> float8: path,path [13-]path,point point,box point,circle point,line point,lseg point,path point,point
<-> float8: point,polygon [13-]polygon,circle polygon,point polygon,polygon
<-> tsquery: tsquery,tsquery
<< bit: bit,int4
<< bool: [14-]anymultirange,anymultirange [14-]anymultirange,anyrange [14-]anyrange,anymultirange anyrange,anyrange
<< bool: box,box circle,circle inet,inet point,point polygon,polygon [-11]tinterval,tinterval
<< int2: int2,int4
<< int4: int4,int4
<< int8: int8,int4
<<= bool: inet,inet
<<| bool: box,box circle,circle [14-]point,point polygon,polygon
<= bool: [-11]abstime,abstime anyarray,anyarray anyenum,anyenum [14-]anymultirange,anymultirange anyrange,anyrange
<= bool: bit,bit bool,bool box,box bpchar,bpchar bytea,bytea char,char circle,circle date,date date,timestamp
<= bool: date,timestamptz float4,float4 float4,float8 float8,float4 float8,float8 inet,inet int2,int2 int2,int4
<= bool: int2,int8 int4,int2 int4,int4 int4,int8 int8,int2 int8,int4 int8,int8 interval,interval jsonb,jsonb lseg,lseg
<= bool: macaddr,macaddr macaddr8,macaddr8 money,money name,name [12-]name,text numeric,numeric oid,oid
<= bool: oidvector,oidvector path,path pg_lsn,pg_lsn record,record [-11]reltime,reltime [12-]text,name text,text
<= bool: tid,tid time,time timestamp,date timestamp,timestamp timestamp,timestamptz timestamptz,date
<= bool: timestamptz,timestamp timestamptz,timestamptz timetz,timetz [-11]tinterval,tinterval tsquery,tsquery
<= bool: tsvector,tsvector uuid,uuid varbit,varbit [13-]xid8,xid8
<> bool: [-11]abstime,abstime anyarray,anyarray anyenum,anyenum [14-]anymultirange,anymultirange anyrange,anyrange
<> bool: bit,bit bool,bool bpchar,bpchar bytea,bytea char,char circle,circle date,date date,timestamp date,timestamptz
<> bool: float4,float4 float4,float8 float8,float4 float8,float8 inet,inet int2,int2 int2,int4 int2,int8 int4,int2
<> bool: int4,int4 int4,int8 int8,int2 int8,int4 int8,int8 interval,interval jsonb,jsonb lseg,lseg macaddr,macaddr
<> bool: macaddr8,macaddr8 money,money name,name [12-]name,text numeric,numeric oid,oid oidvector,oidvector
<> bool: pg_lsn,pg_lsn point,point record,record [-11]reltime,reltime [12-]text,name text,text tid,tid time,time
<> bool: timestamp,date timestamp,timestamp timestamp,timestamptz timestamptz,date timestamptz,timestamp
<> bool: timestamptz,timestamptz timetz,timetz [-11]tinterval,tinterval tsquery,tsquery tsvector,tsvector uuid,uuid
<> bool: varbit,varbit xid,int4 xid,xid [13-]xid8,xid8
<?> bool: [-11]abstime,tinterval
<@ bool: anyarray,anyarray [14-]anyelement,anymultirange anyelement,anyrange [14-]anymultirange,anymultirange
<@ bool: [14-]anymultirange,anyrange [14-]anyrange,anymultirange anyrange,anyrange box,box circle,circle jsonb,jsonb
<@ bool: lseg,box lseg,line point,box point,circle point,line point,lseg point,path point,polygon polygon,polygon
<@ bool: tsquery,tsquery
<^ bool: box,box point,point
= bool: [-11]abstime,abstime aclitem,aclitem anyarray,anyarray anyenum,anyenum [14-]anymultirange,anymultirange
= bool: anyrange,anyrange bit,bit bool,bool box,box bpchar,bpchar bytea,bytea char,char cid,cid circle,circle
= bool: date,date date,timestamp date,timestamptz float4,float4 float4,float8 float8,float4 float8,float8 inet,inet
= bool: int2,int2 int2,int4 int2,int8 int4,int2 int4,int4 int4,int8 int8,int2 int8,int4 int8,int8 interval,interval
= bool: jsonb,jsonb line,line lseg,lseg macaddr,macaddr macaddr8,macaddr8 money,money name,name [12-]name,text
= bool: numeric,numeric oid,oid oidvector,oidvector path,path pg_lsn,pg_lsn record,record [-11]reltime,reltime
= bool: [12-]text,name text,text tid,tid time,time timestamp,date timestamp,timestamp timestamp,timestamptz
= bool: timestamptz,date timestamptz,timestamp timestamptz,timestamptz timetz,timetz [-11]tinterval,tinterval
= bool: tsquery,tsquery tsvector,tsvector uuid,uuid varbit,varbit xid,int4 xid,xid [13-]xid8,xid8
> bool: [-11]abstime,abstime anyarray,anyarray anyenum,anyenum [14-]anymultirange,anymultirange anyrange,anyrange
> bool: bit,bit bool,bool box,box bpchar,bpchar bytea,bytea char,char circle,circle date,date date,timestamp
> bool: date,timestamptz float4,float4 float4,float8 float8,float4 float8,float8 inet,inet int2,int2 int2,int4
> bool: int2,int8 int4,int2 int4,int4 int4,int8 int8,int2 int8,int4 int8,int8 interval,interval jsonb,jsonb lseg,lseg
> bool: macaddr,macaddr macaddr8,macaddr8 money,money name,name [12-]name,text numeric,numeric oid,oid
> bool: oidvector,oidvector path,path pg_lsn,pg_lsn record,record [-11]reltime,reltime [12-]text,name text,text
> bool: tid,tid time,time timestamp,date timestamp,timestamp timestamp,timestamptz timestamptz,date
> bool: timestamptz,timestamp timestamptz,timestamptz timetz,timetz [-11]tinterval,tinterval tsquery,tsquery
> bool: tsvector,tsvector uuid,uuid varbit,varbit [13-]xid8,xid8
>= bool: [-11]abstime,abstime anyarray,anyarray anyenum,anyenum [14-]anymultirange,anymultirange anyrange,anyrange
>= bool: bit,bit bool,bool box,box bpchar,bpchar bytea,bytea char,char circle,circle date,date date,timestamp
>= bool: date,timestamptz float4,float4 float4,float8 float8,float4 float8,float8 inet,inet int2,int2 int2,int4
>= bool: int2,int8 int4,int2 int4,int4 int4,int8 int8,int2 int8,int4 int8,int8 interval,interval jsonb,jsonb lseg,lseg
>= bool: macaddr,macaddr macaddr8,macaddr8 money,money name,name [12-]name,text numeric,numeric oid,oid
>= bool: oidvector,oidvector path,path pg_lsn,pg_lsn record,record [-11]reltime,reltime [12-]text,name text,text
>= bool: tid,tid time,time timestamp,date timestamp,timestamp timestamp,timestamptz timestamptz,date
>= bool: timestamptz,timestamp timestamptz,timestamptz timetz,timetz [-11]tinterval,tinterval tsquery,tsquery
>= bool: tsvector,tsvector uuid,uuid varbit,varbit [13-]xid8,xid8
>> bit: bit,int4
>> bool: [14-]anymultirange,anymultirange [14-]anymultirange,anyrange [14-]anyrange,anymultirange anyrange,anyrange
>> bool: box,box circle,circle inet,inet point,point polygon,polygon
>> int2: int2,int4
>> int4: int4,int4
>> int8: int8,int4
>>= bool: inet,inet
>^ bool: box,box point,point
? bool: jsonb,text
?# bool: box,box line,box line,line lseg,box lseg,line lseg,lseg path,path
?& bool: jsonb,_text
?- bool: ,line ,lseg point,point
?-| bool: line,line lseg,lseg
?| bool: ,line ,lseg jsonb,_text point,point
?|| bool: line,line lseg,lseg
@ bool: [-13]box,box [-13]circle,circle [-13]lseg,box [-13]lseg,line [-13]point,box [-13]point,circle [-13]point,line
@ bool: [-13]point,lseg [-13]point,path [-13]point,polygon [-13]polygon,polygon
@ float4: ,float4
@ float8: ,float8
@ int2: ,int2
@ int4: ,int4
@ int8: ,int8
@ numeric: ,numeric
@-@ float8: ,lseg ,path
@> bool: _aclitem,aclitem anyarray,anyarray [14-]anymultirange,anyelement [14-]anymultirange,anymultirange
@> bool: [14-]anymultirange,anyrange anyrange,anyelement [14-]anyrange,anymultirange anyrange,anyrange box,box
@> bool: box,point circle,circle circle,point jsonb,jsonb path,point polygon,point polygon,polygon tsquery,tsquery
@? bool: [12-]jsonb,jsonpath
@@ bool: [12-]jsonb,jsonpath text,text text,tsquery tsquery,tsvector tsvector,tsquery
@@ point: ,box ,circle ,lseg [-14],path ,polygon
@@@ bool: tsquery,tsvector tsvector,tsquery
^ float8: float8,float8
^ numeric: numeric,numeric
^@ bool: [11-]text,text
| abstime: [-11],tinterval
| bit: bit,bit
| inet: inet,inet
| int2: int2,int2
| int4: int4,int4
| int8: int8,int8
| macaddr: macaddr,macaddr
| macaddr8: macaddr8,macaddr8
|&> bool: box,box circle,circle polygon,polygon
|/ float8: ,float8
|>> bool: box,box circle,circle [14-]point,point polygon,polygon
|| anyarray: [-13]anyarray,anyarray [-13]anyarray,anyelement [-13]anyelement,anyarray
|| anycompatiblearray: [14-]anycompatible,anycompatiblearray [14-]anycompatiblearray,anycompatible
|| anycompatiblearray: [14-]anycompatiblearray,anycompatiblearray
|| bytea: bytea,bytea
|| jsonb: jsonb,jsonb
|| text: anynonarray,text text,anynonarray text,text
|| tsquery: tsquery,tsquery
|| tsvector: tsvector,tsvector
|| varbit: varbit,varbit
||/ float8: ,float8
~ bit: ,bit
~ bool: [-13]_aclitem,aclitem [-13]box,box bpchar,text [-13]circle,circle [-13]circle,point name,text [-13]path,point
~ bool: [-13]polygon,point [-13]polygon,polygon text,text
~ inet: ,inet
~ int2: ,int2
~ int4: ,int4
~ int8: ,int8
~ macaddr: ,macaddr
~ macaddr8: ,macaddr8
~* bool: bpchar,text name,text text,text
~<=~ bool: bpchar,bpchar text,text
~<~ bool: bpchar,bpchar text,text
~= bool: box,box circle,circle point,point polygon,polygon [-11]tinterval,tinterval
~>=~ bool: bpchar,bpchar text,text
~>~ bool: bpchar,bpchar text,text
~~ bool: bpchar,text bytea,bytea name,text text,text
~~* bool: bpchar,text name,text text,text
`;
