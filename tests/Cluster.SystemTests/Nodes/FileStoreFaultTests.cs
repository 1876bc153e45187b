using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Nodes;

/// <summary>The faults of <see cref="NodeFaultTests"/> with the file store.</summary>
public sealed class FileStoreFaultTests(ITestOutputHelper output) : NodeFaultTests(output)
{
    // ConsulFaultTests has the same test.
    [RequiresUnixFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    [Trait("Case", "glue-55")]
    public Task KillOfANode_IsOwnedAgainEmptyWithinTenSecondsAndAnnounced() => CheckKillAsync(isCoordinator: false);

    [RequiresUnixFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public Task KillOfTheCoordinator_IsOwnedAgainEmptyWithinTenSecondsAndAnnounced() => CheckKillAsync(isCoordinator: true);

    [RequiresUnixFact]
    [Trait("Case", "glue-55")]
    public Task KillOfANode_WithABackup_LosesNoAcknowledgedWrite() => CheckKillWithBackupAsync();

    [RequiresUnixFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public Task PauseLongerThanTheGrace_WithABackup_LosesNothingAndAnswersNothingOld() => CheckPauseWithBackupAsync();

    [RequiresUnixFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    [Trait("Case", "cluster-F30")]
    public Task StarvedThreadPool_LongerThanTheGrace_TakesNothingAway() => CheckStarvedPoolAsync();

    // The pause alone takes 20 s. ConsulFaultTests has the same test.
    [RequiresUnixFact]
    [Trait("Category", "Soak")]
    public Task PauseOfTwentySeconds_TakesNothingAwayAndServesAgainAfterwards() => CheckPauseAsync();

    // FormerLivesTests show within one process how a node treats the former one of its name.
    [RequiresUnixFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    [Trait("Case", "glue-55")]
    public Task RestartAfterKill_WithTheSameName_JoinsAsANewLife() => CheckRestartAsync();

    // OrderlyStopTests show the same within one process.
    [RequiresUnixFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public Task OrderlyStop_LosesNothing() => CheckOrderlyStopAsync();

    [RequiresUnixFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public Task KillOfTheReceiver_AmidAHandoff_LosesOnlyWhatIsCounted() => CheckKillAmidHandoffAsync(isReceiver: true);

    [RequiresUnixFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public Task KillOfTheSender_AmidAHandoff_LosesOnlyWhatIsCounted() => CheckKillAmidHandoffAsync(isReceiver: false);

    private protected override Task<NodeProcesses> OpenAsync() => Task.FromResult(NodeProcesses.OnFileStore(Output));
}
