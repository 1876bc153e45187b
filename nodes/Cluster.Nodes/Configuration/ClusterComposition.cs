using Cluster.StateStore.Hosting.States;

namespace Cluster.Nodes.Configuration;

/// <summary>The store, services and states that the builder has chosen for one host. Filled by one thread while the
/// host is composed; only read after that.</summary>
internal sealed class ClusterComposition
{
    private readonly List<string> _problems = [];
    private readonly SortedSet<string> _services = new(StringComparer.Ordinal);
    private readonly List<StateDefinition> _states = [];

    /// <summary>Who may create the cluster in the chosen store.</summary>
    public StoreBootstrap StoreBootstrap { get; private set; } = StoreBootstrap.ByItself;

    /// <summary>The full names of the contracts and the names of the gRPC services that this process offers.</summary>
    public IReadOnlyCollection<string> Services => _services;

    public IReadOnlyList<StateDefinition> States => _states;

    private string? StoreChoice { get; set; }

    /// <summary>Where the processes of this cluster find their secret when none is configured.</summary>
    public SecretOrigin SecretOrigin { get; private set; } = SecretOrigin.Process;

    public void ChooseStore(string choice, StoreBootstrap bootstrap, SecretOrigin secrets)
    {
        if (StoreChoice is not null)
        {
            _problems.Add($"Two cluster stores are chosen, {StoreChoice} and {choice}; "
                + "call only one Use… method of AddCluster.");
        }

        StoreChoice = choice;
        StoreBootstrap = bootstrap;
        SecretOrigin = secrets;
    }

    public void OfferService(string name)
    {
        if (_services.Add(name))
            return;
        _problems.Add($"The service {name} is added twice; remove one AddService.");
    }

    public void AddState(StateDefinition state)
    {
        if (_states.Exists(known => known.Name == state.Name))
            _problems.Add($"The state '{state.Name}' is added twice; give each AddState a name of its own.");

        _states.Add(state);
    }

    /// <summary>Returns what is wrong with the composition under the given options.</summary>
    public IEnumerable<string> FindProblems(ClusterOptions options)
    {
        foreach (var problem in _problems)
            yield return problem;
        if (FindSecretProblem(options) is { } missing)
            yield return missing;
        if (options.SnapshotFolder is not null && SecretOrigin == SecretOrigin.Process)
        {
            yield return ClusterOptionsValidator.Describe(
                nameof(options.SnapshotFolder), options.SnapshotFolder,
                "the store in memory makes a new cluster at each start, which has no snapshots; call UseFileStore, "
                + "UseConsul or UseStore");
        }

        if (options.MappedFolder is not null && SecretOrigin == SecretOrigin.Process)
        {
            yield return ClusterOptionsValidator.Describe(
                nameof(options.MappedFolder), options.MappedFolder,
                "the store in memory makes a new cluster at each start, and the folder belongs to one cluster; call "
                + "UseFileStore, UseConsul or UseStore");
        }

        if (options.Role != ClusterRole.Client)
            yield break;
        if (SecretOrigin == SecretOrigin.Process)
        {
            yield return ClusterOptionsValidator.Describe(
                nameof(options.Role), options.Role,
                "a client needs a store that it shares with the nodes; call UseFileStore, UseConsul or UseStore");
        }

        if (_services.Count > 0)
        {
            yield return ClusterOptionsValidator.Describe(
                nameof(options.Role), options.Role,
                $"a client offers no services; remove AddService for "
                + $"{string.Join(", ", _services)}, or make it a Node");
        }
    }

    // A process that reaches the port of a node without a secret can do what a node does.
    private string? FindSecretProblem(ClusterOptions options)
    {
        if (SecretOrigin != SecretOrigin.Configuration || options.Secret is not null)
            return null;
        if (options.Role == ClusterRole.Client)
            return null;
        string[] open = [.. new[] { options.ListenAddress, options.PeerListenAddress }.Where(IsBeyondLoopback)!];
        return open.Length == 0
            ? null
            : $"{ClusterOptions.SectionName}:{nameof(options.Secret)} is not set, but this node listens at "
                + $"{string.Join(" and ", open)}, where other machines reach it. Set "
                + $"{ClusterOptions.SectionName}:{nameof(options.Secret)} in the configuration, or the environment "
                + $"variable {ClusterOptions.SectionName}__{nameof(options.Secret)}, to the same 32 random bytes in "
                + "base 64 on every node and client; or listen at a loopback address.";
    }

    private static bool IsBeyondLoopback(string? address) =>
        Uri.TryCreate(address, UriKind.Absolute, out var uri) && !uri.IsLoopback;
}
