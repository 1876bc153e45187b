using Cluster.Glue.Signatures;
using Cluster.Glue.Tests.Semantics;
using Cluster.Slim;

namespace Cluster.Glue.Tests.Signatures;

/// <summary>A type that is missing on the closed list of one side is refused by a message that names the options of
/// both sides, in each direction and on each binding that serializes.</summary>
[Trait("Case", "repair-D")]
public sealed class ClosedListTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    public static TheoryData<string> Bindings { get; } = new(
        nameof(SemanticBinding.Link), nameof(SemanticBinding.Unary), nameof(SemanticBinding.InProcessSerialized));

    [Theory]
    [MemberData(nameof(Bindings))]
    public Task Argument_MissingAtTheClient(string binding) =>
        CheckAsync(binding, client: null, server: Allow, GlueErrorCode.ArgumentsNotWritable,
            box => box.TakeAsync(new Ribbon()));

    [Theory]
    [MemberData(nameof(Bindings))]
    public Task Argument_MissingAtTheServer(string binding) =>
        CheckAsync(binding, client: Allow, server: null, GlueErrorCode.ArgumentsNotReadable,
            box => box.TakeAsync(new Ribbon()));

    [Theory]
    [MemberData(nameof(Bindings))]
    public Task Result_MissingAtTheServer(string binding) =>
        CheckAsync(binding, client: Allow, server: null, GlueErrorCode.ResultNotWritable,
            box => box.GiveAsync());

    [Theory]
    [MemberData(nameof(Bindings))]
    public Task Result_MissingAtTheClient(string binding) =>
        CheckAsync(binding, client: null, server: Allow, GlueErrorCode.ResultNotReadable,
            box => box.GiveAsync());

    [Theory]
    [MemberData(nameof(Bindings))]
    public Task Item_MissingAtTheServer(string binding) =>
        CheckAsync(binding, client: Allow, server: null, GlueErrorCode.StreamItemNotWritable,
            box => ReadAsync(box.GiveManyAsync()));

    [Theory]
    [MemberData(nameof(Bindings))]
    public Task Item_MissingAtTheClient(string binding) =>
        CheckAsync(binding, client: null, server: Allow, GlueErrorCode.StreamItemNotReadable,
            box => ReadAsync(box.GiveManyAsync()));

    /// <summary>An exception is no refusal: it comes as text, without a word of the serializer.</summary>
    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task Exception_MissingAtEitherSide_ComesAsItsText(string binding)
    {
        foreach ((var client, var server) in
            new (Action<SlimOptions>?, Action<SlimOptions>?)[] { (null, AllowFailure), (AllowFailure, null) })
        {
            await RunAsync(binding, client, server, async box =>
            {
                var failure = await Assert.ThrowsAsync<RemoteException>(() => box.FailAsync());
                Assert.Equal((typeof(RibbonException).FullName, "torn"), (failure.TypeName, failure.Message));
                Assert.DoesNotContain("SlimOptions", failure.ToString(), StringComparison.Ordinal);
            });
        }

        await RunAsync(binding, AllowFailure, AllowFailure, async box =>
            Assert.Equal("torn", (await Assert.ThrowsAsync<RibbonException>(() => box.FailAsync())).Message));
    }

    /// <summary>Messages between different builds name their types.</summary>
    [Fact]
    public void TypeThatADescribedMessageNames_IsRefusedAlike()
    {
        var contract = ContractDescription.Of(typeof(IRibbonBox));
        var with = new ContractSerializer(contract, 1024, Allow).Described;
        var without = new ContractSerializer(contract, 1024, null);
        var message = new ArrayBufferWriter<byte>();
        with.Write<object>(new Ribbon(), message, null!);
        var refusal = Assert.ThrowsAny<SlimException>(() => without.Read<object>(message.WrittenMemory, null));
        CheckText(ClosedListText.Why(refusal));
        Assert.Contains(nameof(Ribbon), ClosedListText.Why(refusal), StringComparison.Ordinal);
    }

    private static void Allow(SlimOptions types) => types.Allow<Ribbon>();

    private static void AllowFailure(SlimOptions types) => types.Allow<RibbonException>();

    private static async Task ReadAsync(IAsyncEnumerable<object> items)
    {
        await foreach (var item in items)
            Assert.IsType<Ribbon>(item);
    }

    private static async Task CheckAsync(
        string binding,
        Action<SlimOptions>? client,
        Action<SlimOptions>? server,
        GlueErrorCode code,
        Func<IRibbonBox, Task> call)
    {
        await RunAsync(binding, client, server, async box =>
        {
            var refusal = await Assert.ThrowsAsync<GlueException>(() => call(box));
            Assert.Equal(code, refusal.Code);
            CheckText(refusal.Message);
            // The side that writes has the type at hand; to the other one it comes as a fingerprint.
            var isWriter = code is GlueErrorCode.ArgumentsNotWritable or GlueErrorCode.ResultNotWritable
                or GlueErrorCode.StreamItemNotWritable;
            var remedy = $"types.Allow<{typeof(Ribbon).FullName}>()";
            Assert.Equal(isWriter, refusal.Message.Contains(remedy, StringComparison.Ordinal));
        });
        await RunAsync(binding, Allow, Allow, call);
    }

    private static async Task RunAsync(
        string binding, Action<SlimOptions>? client, Action<SlimOptions>? server, Func<IRibbonBox, Task> use)
    {
        var way = SemanticBinding.Of(binding);
        await using var host = await GlueHost.StartAsync(
            options =>
            {
                way.Configure(options);
                options.ConfigureTypes = server;
            },
            glue => glue.AddService<IRibbonBox, RibbonBox>());
        var options = new GlueClientOptions
        {
            ConfigureTypes = client, DefaultDeadline = Bound, ConnectTimeout = Bound,
        };
        way.Configure(options);
        await using var calling = new GlueClient(options);
        await use(calling.CreateProxy<IRibbonBox>(way.TargetOf(host.Address)));
    }

    private static void CheckText(string message)
    {
        Assert.Contains("GlueClientOptions.ConfigureTypes", message, StringComparison.Ordinal);
        Assert.Contains("GlueServerOptions.ConfigureTypes", message, StringComparison.Ordinal);
        Assert.DoesNotContain("SlimOptions", message, StringComparison.Ordinal);
    }
}
