namespace Cluster.StateStore.Protocol.Basics;

/// <summary>An invariant of the protocol does not hold: a mistake in this library. The partition must not go
/// on.</summary>
internal sealed class ProtocolInvariantException : Exception
{
    /// <summary>Makes the exception without further information.</summary>
    public ProtocolInvariantException()
    {
    }

    /// <summary>Makes the exception.</summary>
    /// <param name="message">The invariant, what was expected and what was found.</param>
    public ProtocolInvariantException(string message)
        : base(message)
    {
    }

    /// <summary>Makes the exception.</summary>
    /// <param name="message">The invariant, what was expected and what was found.</param>
    /// <param name="innerException">The cause.</param>
    public ProtocolInvariantException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
