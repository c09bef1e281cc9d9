-- A line of an acquirer's file may name an attempt of ours that failed, or that we took back: the acquirer has taken it all the same.

alter table settlement_difference
  drop constraint difference_kind_is_known,
  add constraint difference_kind_is_known check (
    kind in ('unknownToUs', 'takenThoughRefused', 'amountDiffers', 'currencyDiffers', 'merchantDiffers', 'twice', 'missingAtAcquirer',
      'totalsDiffer', 'abandoned')
  ) not valid;
