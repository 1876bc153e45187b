using System.IO.Pipelines;
using Cluster.Nodes.AspNetCore.Caching;
using Cluster.Nodes.AspNetCore.Refusals;
using Cluster.StateStore;
using Microsoft.AspNetCore.OutputCaching;

namespace Cluster.Nodes.AspNetCore.Output;

/// <summary>
/// The store of the output cache over two states: responses by key, and the stamp of each tag. Immutable and
/// thread-safe.
/// <list type="number">
/// <item>A write takes the stamps of its tags first, where one is missing a new one, and stores them with the
/// response.</item>
/// <item>An eviction removes the stamp of the tag, on the node that owns it.</item>
/// <item>A read compares the stored stamps with the present ones, and finds nothing where one is another or
/// gone.</item>
/// </list>
/// So after an eviction, no response counts that took its stamps before it, not even one whose write is still on its
/// way. A stamp that is lost, with its node or because nobody used it for a day, evicts its responses, too.
/// </summary>
internal sealed class ClusterOutputCacheStore(
    IPartitionedState<string, CachedOutput> responses,
    IPartitionedState<string, TagStamp> tags,
    ClusterOutputCacheOptions options,
    RefusalMetrics refusals)
    : IOutputCacheBufferStore
{
    /// <summary>How long a stamp stays that no read and no write of a response uses.</summary>
    public static readonly TimeSpan StampWindow = TimeSpan.FromDays(1);

    private readonly int _maxValueBytes = options.MaxValueBytes;

    public async ValueTask<byte[]?> GetAsync(string key, CancellationToken cancellationToken)
    {
        if (await ReadAsync(key, cancellationToken).ConfigureAwait(false) is not { } response)
            return null;
        var bytes = response.Bytes.ToArray();
        response.Return();
        return bytes;
    }

    public async ValueTask<bool> TryGetAsync(string key, PipeWriter destination, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(destination);
        if (await ReadAsync(key, cancellationToken).ConfigureAwait(false) is not { } response)
            return false;
        foreach (var part in response.Bytes)
            destination.Write(part.Span);
        response.Return();
        return true;
    }

    public ValueTask SetAsync(
        string key, byte[] value, string[]? tags, TimeSpan validFor, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(value);
        return SetAsync(key, new ReadOnlySequence<byte>(value), tags, validFor, cancellationToken);
    }

    public async ValueTask SetAsync(
        string key,
        ReadOnlySequence<byte> value,
        ReadOnlyMemory<string> tags,
        TimeSpan validFor,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(validFor, TimeSpan.Zero);
        if (value.Length > _maxValueBytes)
        {
            refusals.Count(responses.Name, RefusalReason.ValueTooLarge);
            throw new CacheLimitException(
                responses.Name, nameof(options.MaxValueBytes), nameof(value), _maxValueBytes, value.Length);
        }

        var keys = Array.ConvertAll(tags.ToArray(), OutputKey.Of);
        var stamps = new TagStamp[keys.Length];
        for (var index = 0; index < keys.Length; index++)
            stamps[index] = await TakeStampAsync(keys[index], cancellationToken).ConfigureAwait(false);
        var output = new CachedOutput(new CachedValue(value), keys, stamps);
        await responses
            .PutAsync(OutputKey.Of(key), output, StateExpiry.After(validFor), cancellationToken)
            .ConfigureAwait(false);
    }

    public async ValueTask EvictByTagAsync(string tag, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(tag);
        await tags.RemoveAsync(OutputKey.Of(tag), cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask<CachedValue?> ReadAsync(string key, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(key);
        var found = await responses
            .GetWithVersionAsync(OutputKey.Of(key), cancellationToken).ConfigureAwait(false);
        if (found is not { Value: var output })
            return null;
        if (await IsValidAsync(output, cancellationToken).ConfigureAwait(false))
            return output.Response;
        output.Response.Return();
        return null;
    }

    private async ValueTask<bool> IsValidAsync(CachedOutput output, CancellationToken cancellationToken)
    {
        if (output.Tags.Length == 0)
            return true;
        var present = await tags.GetManyAsync(output.Tags, cancellationToken).ConfigureAwait(false);
        for (var index = 0; index < output.Tags.Length; index++)
        {
            if (!present.TryGetValue(output.Tags[index], out var stamp) || stamp.Value != output.Stamps[index])
                return false;
        }

        return true;
    }

    private ValueTask<TagStamp> TakeStampAsync(string tag, CancellationToken cancellationToken) => tags.GetOrAddAsync(
        tag,
        static (_, _) => ValueTask.FromResult(new TagStamp(Guid.NewGuid())),
        StateExpiry.Sliding(StampWindow),
        cancellationToken);
}
