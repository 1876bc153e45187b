using Cluster.Glue.Faults;
using Cluster.Glue.Observation;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Tests.Sessions;
using Cluster.Glue.Wire;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Security;

/// <summary>Names and texts that a peer has chosen stay on one line, in logs and in messages of exceptions.</summary>
public sealed class HostileTextTests : IDisposable
{
    private const string Forged = "x\r\nfail: forged\u001b\u2028";

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly LogRecorder _logs = new LogRecorder().Allow(1005, 1006, 1009, 1013, 1014);

    public void Dispose() => _logs.Dispose();

    [Fact]
    [Trait("Case", "repair-A10")]
    public async Task NodeNamesMethodsAndPaths_StayOnOneLineOfTheLog()
    {
        await using var host = await StartAsync();
        using var raw = new RawLink(host.Address);
        var hello = new WireBuffer(64, 1024);
        new Hello(
            GlueWire.ProtocolVersionLowest, GlueWire.ProtocolVersionHighest, new NodeId(Forged, Guid.NewGuid()),
            1024 * 1024, 100, default, TimeSpan.Zero).Write(hello);
        await raw.SendAsync(RawLink.Frame(EnvelopeKind.Hello, hello.WrittenSpan.ToArray()));
        await raw.SendAsync([], "/glue.v1.Glue/" + Uri.EscapeDataString(Forged));
        await _logs.WaitForAsync(1004, Bound);
        await _logs.WaitForAsync(1005, Bound);
        Assert.Contains(_logs.Entries, entry => entry.Message.Contains("forged", StringComparison.Ordinal));
        // ASP.NET Core writes paths as they are, for users who enable its debugging lines.
        Assert.All(
            _logs.Entries.Where(entry => entry.Level > LogLevel.Debug || entry.Category.StartsWith("Cluster", StringComparison.Ordinal)),
            entry => CheckOneLine(entry.Message));
    }

    /// <summary>What a service throws repeats what its caller has sent, as the messages of exceptions often
    /// do.</summary>
    [Fact]
    [Trait("Case", "repair-A10")]
    public async Task ExceptionsOfServices_CannotForgeAnEntry()
    {
        await using var host = await StartAsync();
        await using var client = new GlueClient();
        await client.CreateProxy<IRepeater>(host.Address).RepeatAsync(Forged);
        var entry = await _logs.WaitForAsync(1006, Bound);
        Assert.Contains("forged", entry.Exception!.ToString(), StringComparison.Ordinal);
        CheckNoEntryIsForged(entry);
    }

    /// <summary>Each message of Glue's log, with hostile texts in every place.</summary>
    [Fact]
    [Trait("Case", "repair-A10")]
    public void EveryMessage_WithHostileTexts_StaysOnItsLine()
    {
        using var factory = LoggerFactory.Create(
            logging => logging.AddProvider(_logs.Allow(1007, 1008, 1011, 1012, 1013, 1014, 1015, 1016, 1017, 1018).Provider).SetMinimumLevel(LogLevel.Debug));
        var log = new ServerLog(factory.CreateLogger<ServerLog>(), TimeProvider.System);
        var messages = typeof(ServerLog).GetMethods(
            BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly);
        messages = [.. messages.Where(message => message.Name != nameof(ServerLog.Dispose))];
        // Twice, because the second of some is told in another line, at the end.
        foreach (var message in messages.Concat(messages))
        {
            message.Invoke(log, [.. message.GetParameters().Select(object (parameter) =>
                parameter.ParameterType == typeof(string) ? Forged
                : parameter.ParameterType == typeof(Exception) ? new InvalidOperationException(Forged)
                : Activator.CreateInstance(parameter.ParameterType)!)]);
        }

        log.Dispose();
        Assert.Equal(2 * messages.Length, _logs.Entries.Count);
        Assert.All(_logs.Entries, CheckNoEntryIsForged);
    }

    [Fact]
    [Trait("Case", "repair-A10")]
    public void Faults_AndBindResults_StayOnOneLine()
    {
        var body = new WireBuffer(256, 4096);
        FaultCodec.WriteGlue(
            body,
            new GlueException(
                GlueErrorKind.Refused, GlueDelivery.NotDelivered, GlueErrorCode.UnknownMethod, Forged));
        var fault = FaultCodec.Read(body.WrittenSpan.ToArray(), null!, "x");
        Assert.IsType<GlueException>(fault);
        CheckOneLine(fault.Message);

        var bindResults = new WireBuffer(256, 4096);
        new BindResults(0, [new(0, true, GlueErrorCode.UnknownMethod, Forged, [])]).Write(bindResults);
        CheckOneLine(Assert.Single(BindResults.Read(bindResults.WrittenSpan).Differences).Reason);
    }

    [Fact]
    [Trait("Case", "repair-A10")]
    public void TypeNames_InRefusalsOfTheSerializer_StayOnOneLine()
    {
        var writer = new Slim.SlimSerializer(new Slim.SlimOptions { WriteOldNames = true }
            .Allow<Dog>().Alias("Forged" + Forged, typeof(Dog)));
        var message = writer.Serialize<object>(new Dog());
        var refusal = Assert.ThrowsAny<Slim.SlimException>(
            () => new Slim.SlimSerializer(new Slim.SlimOptions()).Deserialize<object>(message));
        Assert.Contains("forged", refusal.Message, StringComparison.Ordinal);
        CheckOneLine(refusal.Message);
    }

    private static void CheckNoEntryIsForged(LogEntry entry)
    {
        CheckOneLine(entry.Message);
        CheckOneLine(entry.Exception?.Message ?? "");
        var lines = $"{entry.Exception}".Split(Environment.NewLine);
        Assert.All(lines, CheckOneLine);
        Assert.All(lines.Skip(1), line => Assert.StartsWith(" ", line));
    }

    private static void CheckOneLine(string text) =>
        Assert.DoesNotContain(text, one => char.IsControl(one) || one == '\u2028');

    private Task<GlueHost> StartAsync() =>
        GlueHost.StartAsync(addServices: glue =>
        {
            glue.Services.AddLogging(logging => logging.AddProvider(_logs.Provider).SetMinimumLevel(LogLevel.Debug));
            GlueHost.AddSemanticServices(glue);
            glue.AddService<IRepeater, Repeater>();
        });
}
