using Cluster.Contracts.Help;

namespace Cluster.Contracts;

/// <summary>A call failed in the plumbing, not in the application: <see cref="Kind"/> says what the caller can do,
/// <see cref="Delivery"/> whether the method may have run, <see cref="Code"/> the one cause. Failures of the method
/// itself arrive as their own type or as <see cref="RemoteException"/>.</summary>
/// <param name="kind">What the caller can do about it.</param>
/// <param name="delivery">How far the call got.</param>
/// <param name="code">The one cause.</param>
/// <param name="message">What was expected, what was found, and the option that governs it.</param>
/// <param name="innerException">The cause in this process, if there is one.</param>
public sealed class GlueException(
    GlueErrorKind kind,
    GlueDelivery delivery,
    GlueErrorCode code,
    string message,
    Exception? innerException = null) : Exception(message, innerException)
{
    /// <summary>What the caller can do about it.</summary>
    public GlueErrorKind Kind { get; } = kind;

    /// <summary>How far the call got: whether repeating it could run the method twice.</summary>
    public GlueDelivery Delivery { get; } = delivery;

    /// <summary>The one cause.</summary>
    public GlueErrorCode Code { get; } = code;

    /// <summary>The number of the gRPC status with which a unary call was answered, or for which the HTTP status of its
    /// answer stands; null when the call failed otherwise.</summary>
    public int? GrpcStatus { get; init; }

    /// <summary>The address of the heading of docs/error-catalogue.md that explains this error, unless another link was
    /// set.</summary>
    public override string? HelpLink => base.HelpLink ?? HelpPage.LinkTo(this, Code);

    /// <summary>The text of every exception, with <see cref="Kind"/>, <see cref="Delivery"/> and <see cref="Code"/>
    /// behind the name of the type.</summary>
    public override string ToString()
    {
        var name = GetType().FullName!;
        return $"{name} ({Kind}, {Delivery}, {Code}){base.ToString()[name.Length..]}";
    }
}
