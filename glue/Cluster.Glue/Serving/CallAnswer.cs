using Cluster.Glue.Catalog;
using Cluster.Glue.Faults;
using Cluster.Glue.Observation;
using Cluster.Glue.References;
using Cluster.Glue.Signatures;
using Cluster.Glue.Streams;
using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Serving;

/// <summary>The answer of one served call: a result with its references, or a fault. Owned by the call, and reused with
/// it.</summary>
internal sealed class CallAnswer(ServerLog log, GlueExceptionDetail detail) : ISlimReferences
{
    private const int InitialBytes = 256;

    private ServedMethod _method = null!;
    private OutgoingReferences? _references;

    public WireBuffer Body { get; } = new(InitialBytes, int.MaxValue);

    /// <summary>Keeps the scope of the call until the references in the result are released. Null: the result has
    /// none.</summary>
    public ReferenceLease? Lease { get; private set; }

    /// <summary>Why the call failed, as its caller gets to know it; null: it has not failed.</summary>
    public Exception? Failure { get; private set; }

    public void Begin(ServedMethod method) => _method = method;

    /// <summary>Writes the result, or a fault if the result cannot be sent.</summary>
    /// <param name="result">The result of the method.</param>
    /// <param name="sink">The receiver of the answer.</param>
    public EnvelopeKind WriteResult<T>(T result, IReplySink sink)
    {
        if (!_method.Contract.HasResult)
            return EnvelopeKind.Reply;
        Body.BytesMax = sink.AnswerBytesMax;
        try
        {
            _method.Answers.Write(result, Body, this);
            if (_references is not null)
                HandOut(_references, sink.References);
            return EnvelopeKind.Reply;
        }
        catch (Exception exception)
        {
            WriteRefusal(ResultFailure(exception));
            return EnvelopeKind.Fault;
        }
    }

    /// <summary>Notes a failure of any kind.</summary>
    /// <param name="exception">The failure.</param>
    /// <param name="context">The call.</param>
    /// <param name="hasReadArguments">Whether the method may have run.</param>
    /// <returns>Whether Glue reports the failure itself. False: the method failed.</returns>
    public bool NoteFailure(Exception exception, GlueCall context, bool hasReadArguments)
    {
        var failure = Classify(exception, context, hasReadArguments);
        Failure = failure ?? exception;
        return failure is not null;
    }

    /// <summary>Writes the fault of a failure of any kind.</summary>
    /// <param name="exception">The failure.</param>
    /// <param name="context">The call.</param>
    /// <param name="hasReadArguments">Whether the method may have run.</param>
    /// <param name="maxBytes">The largest answer that the other end accepts, in bytes.</param>
    public void WriteFault(Exception exception, GlueCall context, bool hasReadArguments, int maxBytes)
    {
        Body.Reset();
        Body.BytesMax = maxBytes;
        if (NoteFailure(exception, context, hasReadArguments))
            FaultCodec.WriteGlue(Body, (GlueException)Failure!);
        else if (exception is OperationCanceledException)
            FaultCodec.WriteCancelled(Body, exception.Message);
        else
            FaultCodec.WriteApplication(Body, exception, _method.Answers, detail);
    }

    /// <summary>Writes a fault: the headers of the answer are too large.</summary>
    public void WriteHeadersFault(int size) => WriteRefusal(Executed(
        GlueErrorCode.HeadersTooLarge,
        $"{_method.Contract.DisplayName} ran, but its ReplyHeaders need {size} bytes; HeaderBytesMax is "
        + $"{GlueLimits.HeaderBytesMax}."));

    /// <summary>Wraps a stream that a caller in this process gets directly: the scope stays open until the stream has
    /// been read.</summary>
    public T KeepScope<T>(T result)
    {
        if (result is null)
            return result;
        Lease = new ReferenceLease(log, _method.Contract.DisplayName);
        Lease.AddUser();
        return (T)StreamShape.Of(typeof(T)).Scope(result, Lease);
    }

    /// <summary>Called by the serializer for a result, or a part of it, that is passed by reference.</summary>
    public int Export(Type declared, object value) =>
        (_references ??= new OutgoingReferences(_method.Answers)).Export(declared, value);

    public object Import(Type declared, int number) => throw new NotSupportedException("Results are written here.");

    public void Reset()
    {
        Body.Reset();
        _references = null;
        Lease = null;
        Failure = null;
    }

    private void WriteRefusal(GlueException failure)
    {
        Failure = failure;
        Body.Reset();
        FaultCodec.WriteGlue(Body, failure);
    }

    /// <summary>Puts the ids of the references in front of the result. The scope stays open until they are
    /// released.</summary>
    private void HandOut(OutgoingReferences references, ReferenceTable? table)
    {
        if (table is null)
            throw new NotSupportedException("streams and callbacks are not carried by this binding.");
        Lease = new ReferenceLease(log, _method.Contract.DisplayName);
        references.HandOver(table, Body, Lease);
    }

    /// <summary>The failure that Glue reports itself. Null: the method failed.</summary>
    private GlueException? Classify(Exception exception, GlueCall context, bool hasReadArguments)
    {
        var name = _method.Contract.DisplayName;
        if (context.HasExpired && (exception is OperationCanceledException || !hasReadArguments))
        {
            return new GlueException(
                GlueErrorKind.Deadline,
                hasReadArguments ? GlueDelivery.Unknown : GlueDelivery.NotDelivered,
                GlueErrorCode.DeadlineOnServer,
                $"The deadline passed {(hasReadArguments ? "while" : "before")} {name} ran.");
        }

        if (hasReadArguments || exception is OperationCanceledException)
            return null;
        return exception as GlueException ?? new GlueException(
            GlueErrorKind.Refused,
            GlueDelivery.NotDelivered,
            GlueErrorCode.ArgumentsNotReadable,
            $"The server cannot rebuild the arguments of {name}: {ClosedListText.Why(exception)}");
    }

    private GlueException ResultFailure(Exception cause) =>
        cause is WireLimitException limit
            ? Executed(
                GlueErrorCode.ResultTooLarge,
                $"{_method.Contract.DisplayName} ran, but its result needs {limit.Needed} bytes or more; "
                + $"MaxMessageBytes allows {limit.BytesMax}.")
            : Executed(
                GlueErrorCode.ResultNotWritable,
                $"{_method.Contract.DisplayName} ran, but its result cannot be serialized: "
                + ClosedListText.Why(cause));

    private static GlueException Executed(GlueErrorCode code, string message) =>
        new(GlueErrorKind.Refused, GlueDelivery.Executed, code, message);
}
