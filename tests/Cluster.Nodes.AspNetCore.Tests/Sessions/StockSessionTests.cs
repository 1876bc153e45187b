using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Session;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Memory;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace Cluster.Nodes.AspNetCore.Tests.Sessions;

/// <summary>The stock session passes the same tests.</summary>
public sealed class StockSessionTests : SessionConformanceTests
{
    private readonly DistributedSessionStore _store;

    public StockSessionTests() => _store = new DistributedSessionStore(
        new ObservedCache(new MemoryDistributedCache(Options.Create(new MemoryDistributedCacheOptions())))
        {
            BeforeCall = token => BeforeCall?.Invoke(token) ?? Task.CompletedTask,
        },
        NullLoggerFactory.Instance);

    private protected override ISession Create(
        string key, TimeSpan ioTimeout, Func<bool> tryEstablish, bool isNew) =>
        _store.Create(key, TimeSpan.FromMinutes(20), ioTimeout, tryEstablish, isNew);
}
