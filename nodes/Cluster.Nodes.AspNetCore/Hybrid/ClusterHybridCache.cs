using Cluster.Slim;
using Cluster.StateStore;
using Microsoft.Extensions.Caching.Hybrid;

namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>A hybrid cache whose entries are values of a state of the cluster. Entries that callers keep out of the
/// distributed cache lie in this process. Thread-safe.</summary>
internal sealed class ClusterHybridCache(
    ClusterEntries entries,
    ProcessEntries processEntries,
    TagGenerations generations,
    ClusterHybridCacheOptions options,
    HybridRefusals refusals) : HybridCache
{
    // What forbids to use an entry that readers of this process share.
    private const HybridCacheEntryFlags SharedReads =
        HybridCacheEntryFlags.DisableLocalCacheRead | HybridCacheEntryFlags.DisableDistributedCacheRead;

    private static readonly TimeSpan StockExpiration = TimeSpan.FromMinutes(5);

    private readonly CacheKeys _keys = new(options.MaximumKeyLength, refusals);
    private readonly WaitingCallers _callers = new();

    /// <inheritdoc />
    public override ValueTask<T> GetOrCreateAsync<TState, T>(
        string key,
        TState state,
        Func<TState, CancellationToken, ValueTask<T>> factory,
        HybridCacheEntryOptions? options = null,
        IEnumerable<string>? tags = null,
        CancellationToken cancellationToken = default)
    {
        var isPlain = key is not null && factory is not null && !cancellationToken.IsCancellationRequested;
        if (isPlain && FindShared(key!, options) is { Value: T shared })
            return new ValueTask<T>(shared);
        return FindOrCreateAsync(key, state, factory, Complete(options), tags, cancellationToken);
    }

    /// <inheritdoc />
    public override async ValueTask SetAsync<T>(
        string key,
        T value,
        HybridCacheEntryOptions? options = null,
        IEnumerable<string>? tags = null,
        CancellationToken cancellationToken = default)
    {
        var names = TagGenerations.Check(tags);
        if (!_keys.IsUsable(key) || !_keys.AreUsable(names))
            return;
        await StoreAsync(
            key,
            new FactoryRun<T, T>(static (given, _) => new(given), value, names, cancellationToken),
            Complete(options),
            cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc />
    public override async ValueTask RemoveAsync(string key, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        processEntries.Forget(key);
        if (_keys.IsUsable(key))
            await entries.RemoveAsync(key, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc />
    public override async ValueTask RemoveByTagAsync(string tag, CancellationToken cancellationToken = default)
    {
        if (!string.IsNullOrWhiteSpace(tag) && CacheKeys.IsUsableTag(tag))
            await generations.AdvanceAsync(tag, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask<T> FindOrCreateAsync<TState, T>(
        string? key,
        TState state,
        Func<TState, CancellationToken, ValueTask<T>>? factory,
        EntryOptions entryOptions,
        IEnumerable<string>? tags,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(factory);
        cancellationToken.ThrowIfCancellationRequested();
        if (_keys.IsUsable(key))
        {
            if (await FindAsync(key, entryOptions, cancellationToken).ConfigureAwait(false) is { } found
                && found.TryTake(out T value))
            {
                return value;
            }

            if (!entryOptions.MayRunFactory)
                return default!;
            var names = TagGenerations.Check(tags);
            if (_keys.AreUsable(names))
            {
                using var place = _callers.Enter(key);
                var abandoned = place.Abandoned;
                FactoryRun<TState, T> Begin() => new(factory, state, names, abandoned);
                var made = await CreateAsync(key, Begin, entryOptions, cancellationToken).ConfigureAwait(false);
                place.Complete();
                return made;
            }
        }

        return entryOptions.MayRunFactory ? await factory(state, cancellationToken).ConfigureAwait(false) : default!;
    }

    // An entry that only this process has goes before that of the cluster.
    private HybridEntry? FindShared(string key, HybridCacheEntryOptions? given) =>
        (FlagsOf(given) & SharedReads) == 0 && !processEntries.Has(key) ? entries.FindShared(key) : null;

    private HybridCacheEntryFlags FlagsOf(HybridCacheEntryOptions? given) =>
        given?.Flags ?? options.DefaultEntryOptions?.Flags ?? HybridCacheEntryFlags.None;

    private EntryOptions Complete(HybridCacheEntryOptions? given)
    {
        var standard = options.DefaultEntryOptions;
        var life = given?.Expiration ?? standard?.Expiration ?? StockExpiration;
        var localLife = given is { Expiration: null, LocalCacheExpiration: null } or null
            ? standard?.LocalCacheExpiration ?? life
            : given.LocalCacheExpiration ?? life;
        return new EntryOptions(life, localLife < life ? localLife : life, FlagsOf(given));
    }

    private async ValueTask<HybridEntry?> FindAsync(
        string key, EntryOptions entryOptions, CancellationToken cancellationToken)
    {
        if (entryOptions.MayReadLocal && processEntries.Find(key) is { } local)
        {
            if (await generations.IsCurrentAsync(local, cancellationToken).ConfigureAwait(false))
                return local;
            processEntries.Forget(key);
        }

        return entryOptions.MayReadCluster
            ? await entries.FindAsync(key, entryOptions.SharedLife, cancellationToken).ConfigureAwait(false)
            : null;
    }

    private async ValueTask<T> CreateAsync<TState, T>(
        string key,
        Func<FactoryRun<TState, T>> begin,
        EntryOptions entryOptions,
        CancellationToken cancellationToken)
    {
        if (entryOptions is { MayReadCluster: true, MayWriteCluster: true })
        {
            return await entries.GetOrAddAsync(key, begin, StateExpiry.After(entryOptions.Life), cancellationToken)
                .ConfigureAwait(false);
        }

        var run = begin();
        await StoreAsync(key, run, entryOptions, cancellationToken).ConfigureAwait(false);
        return await run.RunAsync().ConfigureAwait(false);
    }

    // Makes a value without asking other processes, and keeps it where the flags allow it.
    private async ValueTask StoreAsync<TState, T>(
        string key, FactoryRun<TState, T> run, EntryOptions entryOptions, CancellationToken cancellationToken)
    {
        if (entryOptions is { MayWriteCluster: false, MayWriteLocal: false })
            return;
        HybridEntry entry;
        try
        {
            entry = (await run.LoadAsync(generations, cancellationToken).ConfigureAwait(false))!;
        }
        catch (StateException failure)
        {
            run.ThrowIfFailed();
            refusals.NoteTagFailure(failure);
            return;
        }

        if (entryOptions.MayWriteCluster)
        {
            processEntries.Forget(key);
            await entries.PutAsync(key, entry, StateExpiry.After(entryOptions.Life), cancellationToken)
                .ConfigureAwait(false);
        }
        else
        {
            Keep(key, entry, entryOptions.LocalLife);
        }
    }

    private void Keep(string key, HybridEntry entry, TimeSpan life)
    {
        try
        {
            if (!processEntries.TryKeep(key, entry, life))
                refusals.NoteTooLarge(options.MaximumPayloadBytes);
        }
        catch (SlimException refusal)
        {
            refusals.NoteRefused(refusal);
        }
    }
}
