namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>Says which keys and tags may be cached, by the rules of the stock hybrid cache. Immutable and
/// thread-safe.</summary>
/// <param name="maxLength">The longest key.</param>
/// <param name="refusals">Where it tells of the others.</param>
internal sealed class CacheKeys(int maxLength, HybridRefusals refusals)
{
    private const char LastControlCharacter = '\u001f';

    /// <summary>The longest tag that a state takes as a key, in UTF-16 code units.</summary>
    private const int MaxTagLength = ClusterHybridCacheOptions.MaximumKeyLengthLimit;

    /// <summary>Whether something with this key may be cached.</summary>
    public bool IsUsable([NotNullWhen(true)] string? key)
    {
        if (string.IsNullOrWhiteSpace(key))
            refusals.NoteEmptyKey();
        else if (key.Length > maxLength)
            refusals.NoteLongKey(key.Length, maxLength);
        else if (key.AsSpan().IndexOfAnyInRange('\0', LastControlCharacter) >= 0 || !IsWellFormed(key))
            refusals.NoteUnprintableKey();
        else
            return true;
        return false;
    }

    /// <summary>Whether entries with these tags may be cached.</summary>
    public bool AreUsable(string[] tags)
    {
        foreach (var tag in tags)
        {
            if (IsUsableTag(tag))
                continue;
            refusals.NoteBadTag(MaxTagLength);
            return false;
        }

        return true;
    }

    /// <summary>Whether entries with this tag may be cached.</summary>
    public static bool IsUsableTag(string tag) => tag.Length <= MaxTagLength && IsWellFormed(tag);

    // A lone half of a surrogate pair would become the same bytes as any other.
    private static bool IsWellFormed(string text)
    {
        if (text.AsSpan().IndexOfAnyInRange('\ud800', '\udfff') < 0)
            return true;
        for (var index = 0; index < text.Length; index++)
        {
            if (!char.IsSurrogate(text[index]))
                continue;
            if (!char.IsSurrogatePair(text, index))
                return false;
            index++;
        }

        return true;
    }
}
