import type { ActionCodes } from './dialect.types.ts';

/** The action codes of ISO 8583:1993, table A.1, by what they mean for a payment; 180 is of private use. */
export const ISO93_ACTION_CODES: ActionCodes = {
  requests: [
    { codes: ['000', '001', '003', '007'], outcome: 'Approved' },
    {
      codes: ['002', '006'],
      outcome: 'PartiallyApproved',
      problem: 'acquirerinsufficientfunds',
      retry: 'NewData',
      takeBack: true,
    },
    {
      codes: [
        ...['100', '104', '105', '106', '107', '108', '112', '117', '119', '120'],
        ...['122', '123', '124', '126', '127', '128'],
      ],
      outcome: 'Declined',
      problem: 'carddeclined',
      retry: 'Later',
    },
    {
      codes: ['111', '114', '118', '200', '203', '204', '205', '206', '207'],
      outcome: 'Declined',
      problem: 'carddeclined',
      retry: 'Never',
    },
    { codes: ['101', '125', '201'], outcome: 'Declined', problem: 'acquirercardexpired', retry: 'NewData' },
    { codes: ['102', '129', '202', '210'], outcome: 'Declined', problem: 'acquirerpossiblefraud', retry: 'Never' },
    {
      codes: [
        ...['103', '109', '113', '115', '902', '904', '905', '908'],
        ...['916', '917', '918', '919', '920', '921', '922'],
      ],
      outcome: 'Declined',
      problem: 'acquirererror',
      retry: 'Later',
    },
    { codes: ['110', '121'], outcome: 'Declined', problem: 'acquirerinvalidamount', retry: 'NewData' },
    { codes: ['116'], outcome: 'Declined', problem: 'acquirerinsufficientfunds', retry: 'Later' },
    { codes: ['180'], outcome: 'AuthenticationRequired', retry: 'AfterAuthentication' },
    { codes: ['208', '209'], outcome: 'Declined', problem: 'acquirercardstolen', retry: 'Never' },
    {
      codes: ['903', '906', '907', '910', '912'],
      outcome: 'Declined',
      problem: 'acquirergatewayerror',
      retry: 'Later',
    },
    // A system malfunction may come after the approval: it is taken back to be sure.
    { codes: ['909'], outcome: 'Declined', problem: 'acquirergatewayerror', retry: 'Later', takeBack: true },
  ],
  advices: { acknowledged: ['000', '900', '901'], silence: ['906', '907', '909', '911', '923'] },
  duplicates: ['913'],
  takeBacks: { acknowledged: ['000', '400', '900', '901'], unknownOriginal: ['914'] },
  schemeCodes: {
    authenticate: ['1A'],
    authenticateMastercard: ['65'],
    never: ['R0', 'R1', 'R3', '04', '07', '41', '43'],
  },
  adviceCodes: {
    '01': { retry: 'NewData' },
    '02': { retry: 'Later' },
    '03': { retry: 'Never' },
    '21': { retry: 'Never' },
    '99': { retry: 'Never' },
    '24': { retry: 'Later', afterHours: 1 },
    '25': { retry: 'Later', afterHours: 24 },
    '26': { retry: 'Later', afterHours: 48 },
    '27': { retry: 'Later', afterHours: 96 },
    '28': { retry: 'Later', afterHours: 144 },
    '29': { retry: 'Later', afterHours: 192 },
    '30': { retry: 'Later', afterHours: 240 },
  },
};
