using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Faults;

/// <summary>The errors of calls with their messages, so that each cause has one text that names method, limit and
/// option. Pure.</summary>
internal static class GlueErrors
{
    public static GlueException ArgumentsTooLarge(ContractMethod method, long size, int limit) =>
        NotDelivered(
            GlueErrorKind.Refused,
            GlueErrorCode.ArgumentsTooLarge,
            $"The arguments of {method.DisplayName} need {size} bytes or more, MaxMessageBytes allows {limit}; "
            + "nothing was sent.");

    public static GlueException ArgumentsNotWritable(ContractMethod method, Exception cause) =>
        NotDelivered(
            GlueErrorKind.Refused,
            GlueErrorCode.ArgumentsNotWritable,
            $"The arguments of {method.DisplayName} cannot be serialized, nothing was sent: "
            + ClosedListText.Why(cause),
            cause);

    public static GlueException ResultNotReadable(ContractMethod method, Exception cause) =>
        new(
            GlueErrorKind.Refused,
            GlueDelivery.Executed,
            GlueErrorCode.ResultNotReadable,
            $"{method.DisplayName} ran, but its result cannot be rebuilt here: {ClosedListText.Why(cause)}",
            cause);

    /// <summary>The error of a call whose time was over before it was sent.</summary>
    /// <param name="method">The method.</param>
    /// <param name="awaited">What the call waited for, with the address; null: it had no time at all.</param>
    public static GlueException DeadlineBeforeSend(ContractMethod method, string? awaited) =>
        NotDelivered(
            GlueErrorKind.Deadline,
            GlueErrorCode.DeadlineBeforeSend,
            $"The deadline of {method.DisplayName} passed before the call was sent: "
            + (awaited is null
                ? "no time was left when it began (DefaultDeadline or GlueCall.WithDeadline)."
                : $"it waited for {awaited} (DefaultDeadline or GlueCall.WithDeadline)."));

    public static GlueException DeadlineAwaitingReply(ContractMethod method, string address) =>
        new(
            GlueErrorKind.Deadline,
            GlueDelivery.Unknown,
            GlueErrorCode.DeadlineAwaitingReply,
            $"{address} did not answer {method.DisplayName} in time (DefaultDeadline or GlueCall.WithDeadline).");

    public static GlueException NoEndpoint(ContractMethod method) =>
        NotDelivered(
            GlueErrorKind.Unreachable,
            GlueErrorCode.NoEndpoint,
            $"The endpoint selector names no address for {method.DisplayName}: nobody offers the contract.");

    /// <summary>The error when a server does not serve a method in the form in which it is called.</summary>
    /// <param name="method">The method, as it is on this side.</param>
    /// <param name="address">The server.</param>
    /// <param name="code">The cause.</param>
    /// <param name="reason">The cause in words, of the server or of this side.</param>
    public static GlueException MethodRefused(
        ContractMethod method, string address, GlueErrorCode code, string reason) =>
        NotDelivered(
            GlueErrorKind.Refused, code, $"{address} refuses {method.DisplayName}{method.TypesText}. {reason}");

    /// <summary>The failure in a server's answer. A refusal of the method gets the name of the called method.</summary>
    public static Exception WithCall(Exception fault, ContractMethod method, string address) =>
        fault is GlueException
        {
            Delivery: GlueDelivery.NotDelivered,
            Code: GlueErrorCode.UnknownContract or GlueErrorCode.UnknownMethod or GlueErrorCode.SignatureMismatch
                or GlueErrorCode.LayoutMismatch or GlueErrorCode.TypeArgumentRefused or GlueErrorCode.PeersOnly
                or GlueErrorCode.NotAuthenticated or GlueErrorCode.NotAuthorized,
        } refusal
            ? MethodRefused(method, address, refusal.Code, refusal.Message)
            : fault;

    public static GlueException CircuitOpen(ContractMethod method, string address) =>
        NotDelivered(
            GlueErrorKind.Unreachable,
            GlueErrorCode.CircuitOpen,
            $"{method.DisplayName} was not sent: too many calls to {address} have failed (Breaker.FailureRatio), it is "
            + "called again after a pause (Breaker.Pause).");

    public static GlueException Disposed(string address) =>
        NotDelivered(
            GlueErrorKind.Unreachable, GlueErrorCode.ClientDisposed, $"The client of {address} was disposed.");

    public static GlueException BlockingCalls(ContractMethod method, int limit) =>
        NotDelivered(
            GlueErrorKind.Overloaded,
            GlueErrorCode.BlockingCallsLimit,
            $"{method.DisplayName} was not sent before its deadline: {limit} pool threads wait in synchronous calls. "
            + "Raise MaxBlockingCalls, limit the degree of the loop that makes the calls (MaxDegreeOfParallelism), or "
            + "give the contract a method that returns a task.");

    public static GlueException LimitUntilDeadline(
        ContractMethod method, string address, GlueErrorCode code, string limit) =>
        NotDelivered(
            GlueErrorKind.Overloaded,
            code,
            $"{method.DisplayName} was not sent to {address} before its deadline: {limit} was reached.");

    public static GlueException ServiceNotCreated(ContractMethod method, Exception cause) => NotDelivered(
        GlueErrorKind.Refused,
        GlueErrorCode.ServiceNotCreated,
        $"The service behind {method.DisplayName} could not be created: {cause.Message}");

    public static GlueException QueuedTooLong(ContractMethod method, TimeSpan delay, TimeSpan limit) =>
        NotDelivered(
            GlueErrorKind.Overloaded,
            GlueErrorCode.ServerOverloaded,
            $"{method.DisplayName} waited {delay.TotalSeconds:0.###} s for a thread of the server, MaxQueueDelay is "
            + $"{limit.TotalSeconds:0.###} s; it did not run.");

    public static GlueException LinkLost(string address, GlueErrorCode code, string reason, Exception? cause) =>
        new(
            GlueErrorKind.Broken,
            GlueDelivery.Unknown,
            code,
            $"The link to {address} ended while calls were under way: {reason}",
            cause);

    public static GlueException BuildsShareNoObjects(ContractMethod method) =>
        NotDelivered(
            GlueErrorKind.Refused,
            GlueErrorCode.LayoutMismatch,
            $"{method.DisplayName} was loaded from two builds in this process, which share no objects; "
            + "set InProcessMode to Serialize.");

    public static GlueException HeadersTooLarge(string method, int size) =>
        NotDelivered(
            GlueErrorKind.Refused,
            GlueErrorCode.HeadersTooLarge,
            $"The headers of {method} need {size} bytes, HeaderBytesMax is {GlueLimits.HeaderBytesMax}; nothing was "
            + "sent. Pass large values as arguments.");

    public static GlueException ReferenceReleased(ContractMethod method, LinkSettings link) =>
        NotDelivered(
            GlueErrorKind.Unreachable,
            GlueErrorCode.ReferenceReleased,
            $"{method.DisplayName} was not called: its object at {link.PeerName} was released, or the link to "
            + "it has ended. Objects do not outlive the link they came by; ask their owner for another one.");

    public static GlueException ReferenceGone(LinkSettings link) =>
        NotDelivered(
            GlueErrorKind.Refused,
            GlueErrorCode.ReferenceReleased,
            $"A callback or stream that is passed over the link to {link.PeerName} was released before.");

    public static GlueException ReferenceLimit(LinkSettings link) =>
        NotDelivered(
            GlueErrorKind.Overloaded,
            GlueErrorCode.ReferenceLimit,
            $"{link.MaxReferences} callbacks and streams are referred to over the link to "
            + $"{link.PeerName} (MaxReferences); release some with GlueReference.Release.");

    public static GlueException StreamGone(LinkSettings link, Exception cause) =>
        new(
            GlueErrorKind.Broken,
            GlueDelivery.Unknown,
            GlueErrorCode.StreamGone,
            $"The link to {link.PeerName} ended before the stream: {cause.Message}",
            cause);

    public static GlueException StreamItemTooLarge(Type item, WireLimitException limit) =>
        new(
            GlueErrorKind.Refused,
            GlueDelivery.Executed,
            GlueErrorCode.StreamItemTooLarge,
            $"An item of a stream of {TypeText.Of(item)} needs {limit.Needed} bytes or more, MaxMessageBytes allows "
            + $"{limit.BytesMax}.");

    public static GlueException StreamItemNotWritable(Type item, Exception cause) =>
        new(
            GlueErrorKind.Refused,
            GlueDelivery.Executed,
            GlueErrorCode.StreamItemNotWritable,
            $"An item of a stream of {TypeText.Of(item)} cannot be serialized: {ClosedListText.Why(cause)}",
            cause);

    public static GlueException StreamItemNotReadable(Type item, Exception cause) =>
        new(
            GlueErrorKind.Refused,
            GlueDelivery.Executed,
            GlueErrorCode.StreamItemNotReadable,
            $"An item of a stream of {TypeText.Of(item)} cannot be rebuilt here: {ClosedListText.Why(cause)}",
            cause);

    public static GlueException FromWriting(ContractMethod method, Exception cause) =>
        cause is WireLimitException limit
            ? ArgumentsTooLarge(method, limit.Needed, limit.BytesMax)
            : ArgumentsNotWritable(method, cause);

    public static GlueException NotDelivered(
        GlueErrorKind kind, GlueErrorCode code, string message, Exception? cause = null) =>
        new(kind, GlueDelivery.NotDelivered, code, message, cause);

    /// <summary>A copy of a known exception, for a further call. One exception object that is thrown repeatedly would
    /// collect the stack of each time.</summary>
    public static GlueException Again(GlueException known) =>
        new(known.Kind, known.Delivery, known.Code, known.Message, known.InnerException)
        {
            GrpcStatus = known.GrpcStatus,
        };

    /// <summary>Whether the call was not delivered, for a cause that another endpoint may not share.</summary>
    public static bool MayTryElsewhere(GlueException exception) =>
        exception is { Delivery: GlueDelivery.NotDelivered, Kind: not GlueErrorKind.Deadline }
            && exception.Code is not (GlueErrorCode.ArgumentsTooLarge or GlueErrorCode.ArgumentsNotWritable
                or GlueErrorCode.ArgumentsNotReadable or GlueErrorCode.BlockingCallsLimit
                or GlueErrorCode.HeadersTooLarge or GlueErrorCode.NoSuchInstance
                or GlueErrorCode.ClientDisposed
                or GlueErrorCode.NotAuthenticated or GlueErrorCode.NotAuthorized);

    /// <summary>The error when this side does not trust the certificate of a server.</summary>
    public static GlueException NotTrusted(string address, Exception problem) => NotDelivered(
        GlueErrorKind.Refused,
        GlueErrorCode.PeerNotAuthenticated,
        $"{address} is not trusted: {problem.Message}",
        problem);
}
