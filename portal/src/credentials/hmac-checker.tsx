import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/endpoints.types.ts';
import { checkHmac } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Code } from '../parts/copyable.tsx';
import { Field, SelectField } from '../parts/fields.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useWords } from '../words/words.tsx';

type HmacVerdict = AnswerOf<typeof checkHmac>;

const METHODS = ['GET', 'POST', 'PATCH'].map((id) => ({ id, label: id }));

/** Says what the service signs for a request, and where a signature differs from it. */
export function HmacChecker() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const [method, setMethod] = useState('POST');
  const [path, setPath] = useState('/api/payments/ping');
  const [hmac, setHmac] = useState('');
  const [transmissionTime, setTransmissionTime] = useState('');
  const [body, setBody] = useState('');
  const [verdict, setVerdict] = useState<HmacVerdict>();
  const [error, setError] = useState<unknown>();
  const check = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    setVerdict(undefined);
    const headers = { hmac, ...(transmissionTime === '' ? {} : { transmissionTime }) };
    try {
      setVerdict(await call(checkHmac, { payeeId, body: { method, path, headers, body } }));
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <div className="columns">
      <Form className="card stack-small" onSubmit={(event) => void check(event)}>
        <p className="soft">{t('hmacCheckerText')}</p>
        <SelectField label={t('method')} choices={METHODS} value={method} onChange={setMethod} />
        <Field label={t('path')} value={path} onChange={setPath} isRequired />
        <Field
          label="Hmac"
          value={hmac}
          onChange={setHmac}
          placeholder="HmacSHA512 user:nonce:digest"
          long
          isRequired
        />
        <Field label={`Transmission-Time (${t('optional')})`} value={transmissionTime} onChange={setTransmissionTime} />
        <Field label={t('body')} value={body} onChange={setBody} long />
        <ProblemNote error={error} />
        <div>
          <Button type="submit" kind="primary">
            {t('check')}
          </Button>
        </div>
      </Form>
      <div aria-live="polite">{verdict !== undefined && <Verdict verdict={verdict} />}</div>
    </div>
  );
}

function Verdict({ verdict }: { readonly verdict: HmacVerdict }) {
  const { t } = useWords();
  return (
    <section className="card stack-small">
      <div className="note" data-tone={verdict.isRight ? 'good' : 'bad'}>
        <strong>{verdict.isRight ? t('hmacRight') : t('hmacWrong')}</strong>
        {verdict.explanation !== '' && <p>{verdict.explanation}</p>}
        {verdict.line !== null && <p>{t('differsAtLine', { line: verdict.line })}</p>}
      </div>
      <h2>{t('signedText')}</h2>
      <Code text={verdict.signedText} label={t('signedText')} />
    </section>
  );
}
