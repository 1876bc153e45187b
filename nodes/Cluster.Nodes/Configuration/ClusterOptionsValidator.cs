using Cluster.Glue.Authorization;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Options;

namespace Cluster.Nodes.Configuration;

/// <summary>Finds every problem of the cluster's options at once, each with its configuration path, the value found,
/// and the value to write instead. Stateless but for the problems that binder and builder have found already.</summary>
internal sealed class ClusterOptionsValidator(ClusterComposition composition, BindingProblems binding)
    : IValidateOptions<ClusterOptions>
{
    public const int NameLengthMax = 64;
    public const int NodeNameLengthMax = 128;
    public const int InitialNodeCountMax = 1_024;
    public const int MovesInFlightLimit = 1_024;
    public const int BackupsMax = 3;
    public const long PileBudgetBytesMin = 1L << 20;
    public static readonly TimeSpan TimeoutMax = TimeSpan.FromHours(1);

    public ValidateOptionsResult Validate(string? name, ClusterOptions options)
    {
        string[] problems = [.. FindProblems(options), .. composition.FindProblems(options), .. binding.All];
        return problems.Length == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(problems);
    }

    public static IEnumerable<string> FindProblems(ClusterOptions options)
    {
        string?[] found =
        [
            CheckName(nameof(options.Name), options.Name, NameLengthMax, "use the same name on every node"),
            options.NodeName is null
                ? null
                : CheckName(
                    nameof(options.NodeName), options.NodeName, NodeNameLengthMax,
                    "leave it out for machine name and process id"),
            CheckDefined(nameof(options.Role), options.Role),
            CheckListenAddress(nameof(options.ListenAddress), options.ListenAddress),
            options.PeerListenAddress is { } peers
                ? CheckListenAddress(nameof(options.PeerListenAddress), peers) : null,
            CheckSecret(nameof(options.Secret), options.Secret),
            CheckSecret(nameof(options.AlternateSecret), options.AlternateSecret),
            CheckAlternate(options),
            CheckRange(nameof(options.LivenessPort), options.LivenessPort, 0, ushort.MaxValue),
            CheckPorts(options),
            CheckPartitionCount(options.PartitionCount),
            CheckRange(nameof(options.InitialNodeCount), options.InitialNodeCount, 1, InitialNodeCountMax),
            CheckRange(nameof(options.Backups), options.Backups, 0, BackupsMax),
            CheckRange(nameof(options.PileBudgetBytes), options.PileBudgetBytes, PileBudgetBytesMin, long.MaxValue),
            CheckDefined(nameof(options.ProofOfDeath), options.ProofOfDeath),
            CheckTimeout(nameof(options.StartTimeout), options.StartTimeout),
            CheckTimeout(nameof(options.DrainTimeout), options.DrainTimeout),
            CheckDefined(nameof(options.WhenSuspected), options.WhenSuspected),
            CheckRange(nameof(options.MaxMovesInFlight), options.MaxMovesInFlight, 1, MovesInFlightLimit),
            CheckMappedFolder(options),
            CheckSnapshots(options),
            CheckTimeout(nameof(options.SnapshotInterval), options.SnapshotInterval),
            CheckTimeout(nameof(options.RestoreTimeout), options.RestoreTimeout),
        ];
        return found.OfType<string>();
    }

    /// <summary>Describes one problem, in the form that all problems have.</summary>
    public static string Describe(string property, object? found, string expected) =>
        FormattableString.Invariant($"{ClusterOptions.SectionName}:{property} is '{found}', but {expected}.");

    private static string? CheckName(string property, string? name, int lengthMax, string advice)
    {
        var isUsable = name is { Length: > 0 }
            && name.Length <= lengthMax
            && name[0] != '.'
            && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.');
        return isUsable ? null : Describe(
            property, name,
            FormattableString.Invariant(
                $"must have 1 to {lengthMax} letters, digits, '-', '_' or '.', and not begin with '.'; {advice}"));
    }

    private static string? CheckListenAddress(string property, string address)
    {
        var isUsable = Uri.TryCreate(address, UriKind.Absolute, out var uri)
            && (uri.Scheme == Uri.UriSchemeHttp || uri.Scheme == Uri.UriSchemeHttps)
            && uri.AbsolutePath == "/"
            && string.IsNullOrEmpty(uri.Query + uri.Fragment + uri.UserInfo);
        if (!isUsable)
        {
            return Describe(
                property, address,
                "must be http:// or https:// with a host and a port, such as http://127.0.0.1:0 for any free port");
        }

        return uri!.Host is "0.0.0.0" or "[::]" or "*" or "+"
            ? Describe(
                property, address,
                "other nodes use this address to reach this one; write the address of one network interface")
            : null;
    }

    // The message never contains the secret or its length: both would help an attacker who guesses.
    private static string? CheckSecret(string property, GlueSecret? secret) =>
        secret is null or { IsLongEnough: true }
            ? null
            : $"{ClusterOptions.SectionName}:{property} is shorter than 16 bytes; use 32 random bytes in base 64, the "
                + "same on every node and client.";

    private static string? CheckAlternate(ClusterOptions options) =>
        options is { Secret: null, AlternateSecret: not null }
            ? $"{ClusterOptions.SectionName}:{nameof(options.AlternateSecret)} is set without "
                + $"{ClusterOptions.SectionName}:{nameof(options.Secret)}; set that one, too."
            : null;

    private static string? CheckPorts(ClusterOptions options)
    {
        var isSame = options.LivenessPort > 0
            && Uri.TryCreate(options.ListenAddress, UriKind.Absolute, out var uri)
            && uri.Port == options.LivenessPort;
        return isSame
            ? Describe(
                nameof(ClusterOptions.LivenessPort), options.LivenessPort,
                $"that is the port of {ClusterOptions.SectionName}:{nameof(ClusterOptions.ListenAddress)}; use "
                + $"another one, "
                + "or 0 for any free port")
            : null;
    }

    private static string? CheckMappedFolder(ClusterOptions options) => options switch
    {
        { MappedFolder: null } => null,
        { NodeName: null } =>
            $"{ClusterOptions.SectionName}:{nameof(options.MappedFolder)} is set without "
            + $"{ClusterOptions.SectionName}:{nameof(options.NodeName)}; give the node a name that stays, because the "
            + "folder belongs to the node of a name.",
        _ when string.IsNullOrWhiteSpace(options.MappedFolder) =>
            Describe(nameof(options.MappedFolder), options.MappedFolder, "name a folder, or leave it out"),
        _ when !OperatingSystem.IsLinux() =>
            Describe(
                nameof(options.MappedFolder), options.MappedFolder,
                "memory in files needs Linux; leave it out on this system"),
        _ => null,
    };

    private static string? CheckSnapshots(ClusterOptions options) =>
        options is { SnapshotFolder: not null, NodeName: null }
            ? $"{ClusterOptions.SectionName}:{nameof(options.SnapshotFolder)} is set without "
                + $"{ClusterOptions.SectionName}:{nameof(options.NodeName)}; give the node a name that stays, because "
                + "it finds its snapshots by its name."
            : null;

    private static string? CheckPartitionCount(int? count) =>
        count is null || (BitOperations.IsPow2(count.Value) && count <= ClusterMeta.MaxPartitionCount)
            ? null
            : Describe(
                nameof(ClusterOptions.PartitionCount), count,
                $"must be a power of two from 1 to {ClusterMeta.MaxPartitionCount}, such as "
                + $"{ClusterMeta.DefaultPartitionCount}");

    private static string? CheckDefined<T>(string property, T value)
        where T : struct, Enum =>
        Enum.IsDefined(value)
            ? null
            : Describe(property, value, $"must be one of {string.Join(", ", Enum.GetNames<T>())}");

    private static string? CheckRange<T>(string property, T value, T min, T max)
        where T : IBinaryInteger<T> =>
        value >= min && value <= max
            ? null
            : Describe(property, value, FormattableString.Invariant($"must be from {min} to {max}"));

    private static string? CheckTimeout(string property, TimeSpan value) =>
        value > TimeSpan.Zero && value <= TimeoutMax
            ? null
            : Describe(property, value, $"must be more than zero and at most {TimeoutMax}, such as 00:00:30");
}
