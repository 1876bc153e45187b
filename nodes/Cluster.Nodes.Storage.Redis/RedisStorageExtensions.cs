using Cluster.Nodes.Storage;
using Cluster.Nodes.Storage.Redis;
using StackExchange.Redis;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Puts Redis behind a stored state.</summary>
public static class RedisStorageExtensions
{
    /// <summary>Keeps the values in Redis. The connection is made at the first use, and again whenever it is
    /// lost.</summary>
    /// <typeparam name="TKey">The key type.</typeparam>
    /// <typeparam name="TValue">The value type.</typeparam>
    /// <param name="options">The options of the state.</param>
    /// <param name="configuration">Where Redis is, in the form of <c>StackExchange.Redis</c>.</param>
    /// <param name="keyPrefix">What the keys of this state begin with in Redis, different for each state.</param>
    /// <exception cref="ArgumentException">The configuration cannot be read.</exception>
    public static StoredStateOptions<TKey, TValue> UseRedis<TKey, TValue>(
        this StoredStateOptions<TKey, TValue> options, string configuration, string keyPrefix)
        where TKey : notnull
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentException.ThrowIfNullOrWhiteSpace(configuration);
        ArgumentException.ThrowIfNullOrWhiteSpace(keyPrefix);
        var redis = ConfigurationOptions.Parse(configuration);

        // Without this, a Redis that is down at the first use would stay unknown for ever.
        redis.AbortOnConnectFail = false;
        options.Storage = _ => new RedisStateStorage<TKey, TValue>(
            new RedisConnection(() => ConnectionMultiplexer.ConnectAsync(redis)), keyPrefix, options.CreateFormat());
        return options;
    }

    /// <summary>Keeps the values in Redis, through a connection of the host, which the storage does not
    /// close.</summary>
    /// <typeparam name="TKey">The key type.</typeparam>
    /// <typeparam name="TValue">The value type.</typeparam>
    /// <param name="options">The options of the state.</param>
    /// <param name="connection">Finds the connection; called once, when the host starts.</param>
    /// <param name="keyPrefix">What the keys of this state begin with in Redis, different for each state.</param>
    public static StoredStateOptions<TKey, TValue> UseRedis<TKey, TValue>(
        this StoredStateOptions<TKey, TValue> options,
        Func<IServiceProvider, IConnectionMultiplexer> connection,
        string keyPrefix)
        where TKey : notnull
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentException.ThrowIfNullOrWhiteSpace(keyPrefix);
        options.Storage = provider => new RedisStateStorage<TKey, TValue>(
            new RedisConnection(connection(provider)), keyPrefix, options.CreateFormat());
        return options;
    }
}
