using StackExchange.Redis;

namespace Cluster.Nodes.Storage.Redis;

/// <summary>A connection to Redis: one of the host, or one that is made at the first use and closed at the end. The
/// lazy value protects itself.</summary>
internal sealed class RedisConnection : IAsyncDisposable
{
    private readonly Lazy<Task<ConnectionMultiplexer>>? _own;
    private readonly IConnectionMultiplexer? _given;

    public RedisConnection(Func<Task<ConnectionMultiplexer>> connect) =>
        _own = new Lazy<Task<ConnectionMultiplexer>>(connect);

    public RedisConnection(IConnectionMultiplexer given) => _given = given;

    public async ValueTask<IDatabase> OpenAsync(CancellationToken cancellationToken)
    {
        var connection = _given ?? await _own!.Value.WaitAsync(cancellationToken).ConfigureAwait(false);
        return connection.GetDatabase();
    }

    public async ValueTask DisposeAsync()
    {
        if (_own is not { IsValueCreated: true } || !_own.Value.IsCompletedSuccessfully)
            return;
        var connection = await _own.Value.ConfigureAwait(false);
        await connection.DisposeAsync().ConfigureAwait(false);
    }
}
