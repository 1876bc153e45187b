using Cluster.Glue.Authorization;
using Cluster.StateStore;
using Microsoft.Extensions.Options;

namespace Cluster.Nodes.Configuration;

/// <summary>The checked options of this process, frozen when they are first needed. Immutable; owned by the host's
/// services.</summary>
/// <param name="Name">The cluster's name.</param>
/// <param name="NodeName">This process's name.</param>
/// <param name="Role">Its part.</param>
/// <param name="ListenAddress">Where its services shall listen; the port may be 0.</param>
/// <param name="LivenessPort">The liveness endpoint; 0 is any.</param>
internal sealed record ClusterSettings(
    string Name,
    string NodeName,
    ClusterRole Role,
    Uri ListenAddress,
    int LivenessPort)
{
    public required Uri? PeerListenAddress { get; init; }

    public required GlueSecret? Secret { get; init; }

    public required GlueSecret? AlternateSecret { get; init; }

    public required bool AllowSharedFolder { get; init; }

    public required bool Bootstrap { get; init; }

    public required int? PartitionCount { get; init; }

    public required int InitialNodeCount { get; init; }

    public required int Backups { get; init; }

    public required long PileBudgetBytes { get; init; }

    public required ProofOfDeath ProofOfDeath { get; init; }

    public required TimeSpan StartTimeout { get; init; }

    public required TimeSpan DrainTimeout { get; init; }

    public required WhenSuspected WhenSuspected { get; init; }

    public required int MaxMovesInFlight { get; init; }

    public required string? MappedFolder { get; init; }

    public required string? SnapshotFolder { get; init; }

    public required TimeSpan SnapshotInterval { get; init; }

    public required TimeSpan RestoreTimeout { get; init; }

    /// <summary>Reads, checks and freezes the options.</summary>
    /// <exception cref="ClusterStartException">They are wrong; the message lists every problem.</exception>
    public static ClusterSettings Read(IOptions<ClusterOptions> options)
    {
        try
        {
            return From(options.Value);
        }
        catch (OptionsValidationException invalid)
        {
            string[] problems = [.. invalid.Failures];
            var list = string.Concat(problems.Select(problem => $"{Environment.NewLine}  - {problem}"));
            throw new ClusterStartException(
                ClusterExitCode.ConfigurationInvalid,
                $"The configuration of this node has "
                + $"{problems.Length} problem{(problems.Length == 1 ? "" : "s")}:{list}",
                "Correct the named settings in configuration, environment or code.", invalid);
        }
    }

    /// <summary>Freezes options that <see cref="ClusterOptionsValidator"/> has found to be without a problem.</summary>
    public static ClusterSettings From(ClusterOptions options) => new(
        options.Name,
        options.NodeName ?? DefaultNodeName(),
        options.Role,
        new Uri(options.ListenAddress),
        options.LivenessPort)
    {
        PeerListenAddress = options.PeerListenAddress is { } peers ? new Uri(peers) : null,
        Secret = options.Secret,
        AlternateSecret = options.AlternateSecret,
        AllowSharedFolder = options.AllowSharedFolder,
        Bootstrap = options.Bootstrap,
        PartitionCount = options.PartitionCount,
        InitialNodeCount = options.InitialNodeCount,
        Backups = options.Backups,
        PileBudgetBytes = options.PileBudgetBytes,
        ProofOfDeath = options.ProofOfDeath,
        StartTimeout = options.StartTimeout,
        DrainTimeout = options.DrainTimeout,
        WhenSuspected = options.WhenSuspected,
        MaxMovesInFlight = options.MaxMovesInFlight,
        MappedFolder = options.MappedFolder,
        SnapshotFolder = options.SnapshotFolder,
        SnapshotInterval = options.SnapshotInterval,
        RestoreTimeout = options.RestoreTimeout,
    };

    private static string DefaultNodeName() =>
        string.Create(CultureInfo.InvariantCulture, $"{Environment.MachineName}-{Environment.ProcessId}");
}
