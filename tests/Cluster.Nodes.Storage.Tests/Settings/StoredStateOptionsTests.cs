using Cluster.StateStore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Storage.Tests.Settings;

/// <summary>What is wrong with the options of a stored state is told at once, when the state is added.</summary>
public sealed class StoredStateOptionsTests
{
    [Fact]
    public void Options_WithProblems_AreRefusedWithAllOfThem()
    {
        var refusal = Assert.Throws<ArgumentException>(() => Add(options =>
        {
            options.Writes = (StorageWrites)9;
            options.WriteDelay = TimeSpan.FromHours(1);
            options.Parallelism = 0;
            options.MaxWaitingKeys = 0;
            options.StorageTimeout = TimeSpan.Zero;
            options.KeepInMemory = TimeSpan.FromSeconds(1);
            options.AllowOperation<string>();
        }));
        string[] names =
        [
            "Storage is not set", "Writes is 9", "WriteDelay", "Parallelism", "MaxWaitingKeys", "StorageTimeout",
            "KeepInMemory", "System.String",
        ];
        Assert.All(names, name => Assert.Contains(name, refusal.Message, StringComparison.Ordinal));
    }

    [Fact]
    public void States_OfTheSameTypes_AreNamed_WhenOneIsInjectedWithoutAName()
    {
        var builder = Host.CreateApplicationBuilder();
        builder.AddCluster()
            .AddStoredState<string, Account>("stored", options => options.UseFiles("unused"))
            .AddState<string, Account>("plain");
        using var host = builder.Build();
        var refusal = Assert.Throws<InvalidOperationException>(
            () => host.Services.GetRequiredService<IPartitionedState<string, Account>>());
        Assert.Contains("stored, plain", refusal.Message, StringComparison.Ordinal);
    }

    private static void Add(Action<StoredStateOptions<string, Account>> configure) =>
        Host.CreateApplicationBuilder().AddCluster().AddStoredState("accounts", configure);
}
