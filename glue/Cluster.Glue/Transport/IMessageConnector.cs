namespace Cluster.Glue.Transport;

/// <summary>Opens message streams. An adapter over another gRPC stack implements this and
/// <see cref="IMessageStream"/>.</summary>
internal interface IMessageConnector
{
    /// <summary>Whether its streams end in this process, whose code is trusted.</summary>
    bool IsInProcess => false;

    /// <summary>Opens a stream. It may return before the peer has answered, because servers answer with their first
    /// message.</summary>
    ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken);
}
