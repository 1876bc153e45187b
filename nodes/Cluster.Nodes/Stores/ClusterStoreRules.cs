using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Stores;

/// <summary>What every implementation of a cluster store decides the same way: which names it takes, which properties a
/// new cluster may have, and how a proposed table fares against the standing one. Pure functions, for authors of
/// stores.</summary>
public static class ClusterStoreRules
{
    /// <summary>The longest cluster name.</summary>
    public const int MaxNameLength = 64;

    private static readonly SearchValues<char> NameCharacters =
        SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");

    /// <summary>Refuses a cluster name that would be harmful as a folder or as a part of a key.</summary>
    /// <param name="clusterName">The configured name of the cluster.</param>
    /// <exception cref="ArgumentException">The name cannot be used.</exception>
    public static void CheckName(string clusterName)
    {
        ArgumentException.ThrowIfNullOrEmpty(clusterName);
        var isUsable = clusterName.Length <= MaxNameLength
            && clusterName[0] != '.'
            && !clusterName.AsSpan().ContainsAnyExcept(NameCharacters);
        if (isUsable)
            return;
        throw new ArgumentException(
            $"The cluster name '{clusterName}' must have 1 to {MaxNameLength} characters out of letters, digits, '-', "
            + "'_' and '.', and must not start with '.'. Set Cluster:Name.", nameof(clusterName));
    }

    /// <summary>Refuses properties that no new cluster may have.</summary>
    /// <param name="proposed">The properties of a new cluster.</param>
    /// <param name="clusterName">The name the store was opened for.</param>
    /// <exception cref="ArgumentException">The properties cannot be used.</exception>
    public static void CheckProposal(ClusterMeta proposed, string clusterName)
    {
        ArgumentNullException.ThrowIfNull(proposed);
        var problem =
            proposed.ClusterId == Guid.Empty ? "the cluster id is empty"
            : proposed.Name != clusterName ? $"the store is open for cluster '{clusterName}'"
            : !IsPartitionCount(proposed.PartitionCount)
                ? $"the partition count must be a power of two from 1 to {ClusterMeta.MaxPartitionCount}"
            : proposed.FormatVersion != ClusterMeta.CurrentFormatVersion
                ? $"this version of the library writes format {ClusterMeta.CurrentFormatVersion}"
            : null;
        if (problem is null)
            return;
        throw new ArgumentException($"Cannot create a cluster with {proposed}: {problem}.", nameof(proposed));
    }

    /// <summary>Refuses a proposal that its proposer could not recognise after an unknown outcome.</summary>
    /// <param name="successor">The proposed table.</param>
    /// <exception cref="ArgumentException">The proposal has no nonce.</exception>
    public static void CheckSuccessor(ClusterTable successor)
    {
        ArgumentNullException.ThrowIfNull(successor);
        if (successor.ProposerNonce != Guid.Empty)
            return;
        throw new ArgumentException(
            "A proposed table needs a proposer nonce of its own: without it the proposer cannot recognise its write "
            + "after an unknown outcome.", nameof(successor));
    }

    /// <summary>Judges a proposal against the standing table. A proposal that stands already counts as swapped, so that
    /// a proposer which got no answer may ask again with the same successor.</summary>
    /// <param name="standing">The table that the store's compare-and-swap will name.</param>
    /// <param name="successor">What the proposer wants stored.</param>
    /// <returns>The outcome when it is decided already; <c>null</c> when the swap shall go ahead.</returns>
    /// <exception cref="ArgumentException">The change breaks a rule of the table.</exception>
    public static SwapOutcome? Judge(ClusterTable standing, ClusterTable successor)
    {
        ArgumentNullException.ThrowIfNull(standing);
        ArgumentNullException.ThrowIfNull(successor);
        if (IsStanding(standing, successor))
            return SwapOutcome.Swapped;
        if (standing.Version != successor.Version - 1)
            return SwapOutcome.Conflict;
        var violation = PartitionTransitions.FindViolation(standing, successor);
        if (violation is null)
            return null;
        throw new ArgumentException(
            $"The proposed table may not follow version {standing.Version}: {violation}.", nameof(successor));
    }

    /// <summary>Whether the standing table is the proposed one: same version, written by the same proposer.</summary>
    /// <param name="standing">The table that is stored now.</param>
    /// <param name="successor">What the proposer wants stored.</param>
    public static bool IsStanding(ClusterTable standing, ClusterTable successor)
    {
        ArgumentNullException.ThrowIfNull(standing);
        ArgumentNullException.ThrowIfNull(successor);
        return standing.Version == successor.Version && standing.ProposerNonce == successor.ProposerNonce;
    }

    private static bool IsPartitionCount(int count) =>
        BitOperations.IsPow2(count) && count <= ClusterMeta.MaxPartitionCount;
}
