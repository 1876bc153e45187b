using Cluster.Glue.Observation;
using Cluster.Glue.Settings;
using Microsoft.AspNetCore.Connections;

namespace Cluster.Glue.Hosting;

/// <summary>Bounds the connections of one listener: connection middleware. A few connections beyond the bound are
/// answered with the reason for a short time; further ones are closed at once. Atomic counting.</summary>
internal sealed class ConnectionBound(ServerSettings settings, ServerLog log)
{
    private const int AnsweredMax = 16;

    private int _count;

    /// <summary>Marks a connection beyond the bound.</summary>
    public sealed class Excess(int countMax)
    {
        public string Reason { get; } = $"{countMax} connections are open (MaxConnections of the server); come again";
    }

    public ConnectionDelegate Around(ConnectionDelegate next) => connection => RunAsync(connection, next);

    private async Task RunAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        var excess = Interlocked.Increment(ref _count) - settings.MaxConnections;
        try
        {
            if (excess <= 0)
                await next(connection).ConfigureAwait(false);
            else if (excess <= AnsweredMax)
                await RefuseAsync(connection, next).ConfigureAwait(false);
            else
                connection.Abort();
        }
        finally
        {
            Interlocked.Decrement(ref _count);
        }
    }

    private async Task RefuseAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        var excess = new Excess(settings.MaxConnections);
        log.LinkRefused($"{connection.RemoteEndPoint}", excess.Reason);
        connection.Features.Set(excess);
        var waitBudget = settings.Time.CreateTimer(
            static one => ((ConnectionContext)one!).Abort(),
            connection,
            settings.HandshakeTimeout,
            Timeout.InfiniteTimeSpan);
        await using (waitBudget.ConfigureAwait(false))
            await next(connection).ConfigureAwait(false);
    }
}
