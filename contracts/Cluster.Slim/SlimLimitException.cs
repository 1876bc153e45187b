namespace Cluster.Slim;

/// <summary>A limit of <see cref="SlimLimits"/> or of the format was crossed; the message names it.</summary>
public sealed class SlimLimitException : SlimException
{
    internal SlimLimitException(string message)
        : base(message)
    {
    }

    /// <summary>The name of the limit that was crossed.</summary>
    public string LimitName { get; internal init; } = "";
}
