using Cluster.Contracts.Help;

namespace Cluster.Nodes.AspNetCore;

/// <summary>A key or a value is larger than a cache allows. Nothing was sent or changed. The message names the limit,
/// what was found, and the option that governs it. The parameter name says whether it was the key or the
/// value.</summary>
public sealed class CacheLimitException : ArgumentException
{
    internal CacheLimitException(string cache, string option, string parameter, long limit, long found)
        : base(Describe(cache, option, parameter, limit, found), parameter)
    {
        Option = option;
        Limit = limit;
        Found = found;
    }

    /// <summary>The name of the option that governs the limit, such as
    /// <see cref="ClusterCacheOptions.MaxValueBytes"/>.</summary>
    public string Option { get; }

    /// <summary>The limit: for a key in UTF-16 code units, for a value in bytes.</summary>
    public long Limit { get; }

    /// <summary>What the caller gave, in the unit of <see cref="Limit"/>.</summary>
    public long Found { get; }

    /// <summary>The address of the heading of docs/error-catalogue.md that explains this error, unless another link was
    /// set.</summary>
    public override string? HelpLink => base.HelpLink ?? HelpPage.LinkTo(this);

    private static string Describe(string cache, string option, string parameter, long limit, long found)
    {
        var unit = option == nameof(ClusterCacheOptions.MaxKeyLength) ? "UTF-16 code units" : "bytes";
        return $"Cache '{cache}': the {parameter} has {found} {unit}, and at most {limit} are allowed. "
            + $"Raise {option} where the cache is added, on every node, or use a smaller {parameter}.";
    }
}
