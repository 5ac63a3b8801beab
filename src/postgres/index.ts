export { arrayOf, parseArray, printArray, sendArray, type ArrayParts } from './array.js';
export { builtinTypes, typeByName, typeByOid } from './builtin-types.js';
export { compositeType, parseComposite, printComposite, type UserTypeFields } from './composite.js';
export { formatType } from './format-type.js';
export { qualifiedName, quoteIdentifier } from './identifier.js';
export { majorFacts, newestMajor, oldestMajor, type MajorFacts } from './major.js';
export {
  definePgType,
  ValueError,
  type CompositeField,
  type OutputSettings,
  type PgType,
  type PgTypeFields,
  type TypeKind,
} from './pg-type.js';
export { defaultSettings } from './settings.js';
export { multirangeType, splitMultirange } from './multirange.js';
export { parseRange, printRange, rangeType, type Bound, type RangeParts } from './range.js';
export { TypeNameError } from './type-name-error.js';
export { parseTypeName, type TypeName, type TypeScope } from './type-name.js';
export { domainType, enumType, opaqueType } from './user-defined.js';
