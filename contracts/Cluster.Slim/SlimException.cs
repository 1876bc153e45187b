using Cluster.Contracts.Help;
using Cluster.Slim.Errors;

namespace Cluster.Slim;

/// <summary>The root of everything that serialization and deserialization throw. It carries where it happened, never
/// object content. The serializer stays usable afterwards.</summary>
public abstract class SlimException : Exception
{
    private protected SlimException(string message)
        : base(message)
    {
    }

    private protected SlimException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>The offset in the message at which reading stopped; on writing, the bytes written so far.</summary>
    public long Offset { get; internal set; }

    /// <summary>The path of members to the value concerned, such as <c>Order.Lines[3].Source</c>, when known.</summary>
    public string? MemberPath { get; internal set; }

    /// <summary>The rule that refused; null only in the exception that wraps a defect of Slim.</summary>
    internal RefusalSite? Site { get; init; }

    /// <summary>The bytes a failed write had already made visible in the output; zero up to 64 KiB.</summary>
    public long BytesAdvanced { get; internal set; }

    /// <summary>The object whose own code failed, until the path to it has been found; never leaves the
    /// library.</summary>
    internal object? Culprit { get; set; }

    /// <summary>The address of the heading of docs/error-catalogue.md that explains this error, unless another link was
    /// set.</summary>
    public override string? HelpLink => base.HelpLink ?? HelpPage.LinkTo(this);

    /// <inheritdoc />
    public override string Message => MemberPath is null ? base.Message : $"{MemberPath}: {base.Message}";
}
