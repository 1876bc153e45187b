using Cluster.Contracts;
using Cluster.Glue.Catalog;
using Cluster.Glue.Faults;
using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Serving;

/// <summary>Decides what the caller is told about a failed call. Lives for one answer.</summary>
internal readonly struct FaultWriter(WireBuffer output, ServedMethod method, GlueExceptionDetail detail)
{
    public static GlueException ResultFailure(ServedMethod method, Exception cause) =>
        cause is WireLimitException limit
            ? Executed(
                GlueErrorCode.ResultTooLarge,
                $"{method.Contract.DisplayName} ran, but its result needs {limit.Needed} bytes or more; "
                + $"MaxMessageBytes allows {limit.BytesMax}.")
            : Executed(
                GlueErrorCode.ResultNotWritable,
                $"{method.Contract.DisplayName} ran, but its result cannot be serialized: {ClosedListText.Why(cause)}");

    public static GlueException HeadersFailure(ServedMethod method, int size) =>
        Executed(
            GlueErrorCode.HeadersTooLarge,
            $"{method.Contract.DisplayName} ran, but its ReplyHeaders need {size} bytes; HeaderBytesMax is "
            + $"{GlueLimits.HeaderBytesMax}.");

    public void Write(Exception exception, GlueCall context, bool hasReadArguments)
    {
        if (Classify(exception, context, hasReadArguments) is { } failure)
            FaultCodec.WriteGlue(output, failure);
        else if (exception is OperationCanceledException)
            FaultCodec.WriteCancelled(output, exception.Message);
        else
            FaultCodec.WriteApplication(output, exception, method.Answers, detail);
    }

    /// <summary>A failure of the plumbing, or null when the method itself failed.</summary>
    private GlueException? Classify(Exception exception, GlueCall context, bool hasReadArguments)
    {
        var name = method.Contract.DisplayName;
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

    private static GlueException Executed(GlueErrorCode code, string message) =>
        new(GlueErrorKind.Refused, GlueDelivery.Executed, code, message);
}
