using Cluster.StateStore;
using Cluster.StateStore.Hosting;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>The generations of all tags. An entry counts while its tags have the generations that they had before its
/// factory ran. No clock is compared with another one. Immutable and thread-safe.</summary>
/// <param name="tags">The state of all tags.</param>
internal sealed class TagGenerations(
    [FromKeyedServices(TagGeneration.StateName)] IPartitionedState<string, TagGeneration> tags)
{
    /// <summary>The tag that stands for all entries.</summary>
    public const string Wildcard = "*";

    /// <summary>Copies and checks the tags of a call.</summary>
    /// <exception cref="ArgumentException">A tag is empty, or stands for all entries.</exception>
    public static string[] Check(IEnumerable<string>? tags)
    {
        string[] copy = tags is null ? [] : [.. tags];
        foreach (var tag in copy)
        {
            if (string.IsNullOrWhiteSpace(tag))
                throw new ArgumentException("A tag must have at least one visible character.", nameof(tags));
            if (tag == Wildcard)
            {
                throw new ArgumentException(
                    "The tag '*' stands for all entries. Use it with RemoveByTagAsync only, and another tag here.",
                    nameof(tags));
            }
        }

        return copy;
    }

    /// <summary>Reads the generations of the tags of an entry, and begins those of new tags. Read them before the value
    /// is made.</summary>
    /// <returns>The generation of the tag that stands for all entries, then those of the tags.</returns>
    public async ValueTask<long[]> ReadAsync(string[] names, CancellationToken cancellationToken)
    {
        var generations = new long[names.Length + 1];
        generations[0] = await BeginAsync(Wildcard, cancellationToken).ConfigureAwait(false);
        for (var index = 0; index < names.Length; index++)
            generations[index + 1] = await BeginAsync(names[index], cancellationToken).ConfigureAwait(false);
        return generations;
    }

    /// <summary>Whether the tags of an entry still have their generations.</summary>
    public async ValueTask<bool> IsCurrentAsync(HybridEntry entry, CancellationToken cancellationToken)
    {
        if (entry.Generations.Length != entry.Tags.Length + 1)
            return false;
        if (!await IsAsync(Wildcard, entry.Generations[0], cancellationToken).ConfigureAwait(false))
            return false;
        for (var index = 0; index < entry.Tags.Length; index++)
        {
            var generation = entry.Generations[index + 1];
            if (!await IsAsync(entry.Tags[index], generation, cancellationToken).ConfigureAwait(false))
                return false;
        }

        return true;
    }

    /// <summary>Marks the tag that stands for all entries and the tags of an entry, after the mark of the entry itself.
    /// Take the marks before <see cref="IsCurrentAsync"/>.</summary>
    public NearMark[] Mark(NearMark mark, HybridEntry entry)
    {
        if (tags is not IMarkedState<string> marked)
            return [];
        return [mark, marked.Mark(Wildcard), .. entry.Tags.Select(marked.Mark)];
    }

    /// <summary>Removes all entries of a tag.</summary>
    public async ValueTask AdvanceAsync(string tag, CancellationToken cancellationToken) =>
        await tags.UpdateAsync(tag, new AdvanceGeneration(), cancellationToken).ConfigureAwait(false);

    private async ValueTask<bool> IsAsync(string tag, long generation, CancellationToken cancellationToken)
    {
        var now = await tags.GetAsync(tag, cancellationToken).ConfigureAwait(false);
        return now?.Number == generation;
    }

    private async ValueTask<long> BeginAsync(string tag, CancellationToken cancellationToken)
    {
        // All entries would end together with the tag that stands for all of them.
        var expiry = tag == Wildcard ? StateExpiry.Never : StateExpiry.Default;
        var found = await tags.GetAsync(tag, cancellationToken).ConfigureAwait(false) ?? await tags.GetOrAddAsync(
            tag,
            static (_, _) => new(new TagGeneration { Number = UniqueNumber.Next() }),
            expiry,
            cancellationToken).ConfigureAwait(false);
        return found!.Number;
    }
}
