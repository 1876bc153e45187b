using Cluster.Contracts;
using Cluster.Glue.Faults;
using Cluster.Glue.Tests.Links;
using Cluster.Glue.Tests.Semantics;
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

    private readonly LogRecorder _logs = new LogRecorder().Allow(1005, 1006, 1009);

    public void Dispose() => _logs.Dispose();

    [Fact]
    [Trait("Case", "repair-A10")]
    public async Task NodeNamesMethodsAndPaths_StayOnOneLineOfTheLog()
    {
        await using GlueHost host = await StartAsync();
        using var raw = new RawLink(host.Address);
        var hello = new WireBuffer(64, 1024);
        new Hello(
            GlueWire.ProtocolVersionLowest, GlueWire.ProtocolVersionHighest, new NodeId(Forged, Guid.NewGuid()),
            1024 * 1024, 100, default, TimeSpan.Zero).Write(hello);
        await raw.SendAsync(RawLink.Frame(EnvelopeKind.Hello, hello.WrittenSpan.ToArray()));
        await raw.SendAsync([], GlueWire.ServicePrefix + Uri.EscapeDataString(Forged));
        await _logs.WaitForAsync(1004, Bound);
        await _logs.WaitForAsync(1005, Bound);
        Assert.Contains(_logs.Entries, entry => entry.Message.Contains("forged", StringComparison.Ordinal));
        Assert.All(_logs.Entries, entry => CheckOneLine(entry.Message));
    }

    [Fact]
    [Trait("Case", "repair-A10")]
    public void Faults_AndVerdicts_StayOnOneLine()
    {
        var body = new WireBuffer(256, 4096);
        FaultCodec.WriteGlue(
            body,
            new GlueException(
                GlueErrorKind.Refused, GlueDelivery.NotDelivered, GlueErrorCode.UnknownMethod, Forged));
        Exception fault = FaultCodec.Read(body.WrittenSpan.ToArray(), null!, "x");
        Assert.IsType<GlueException>(fault);
        CheckOneLine(fault.Message);

        var verdicts = new WireBuffer(256, 4096);
        new BindVerdicts(0, [new(0, true, GlueErrorCode.UnknownMethod, Forged, [])]).Write(verdicts);
        CheckOneLine(Assert.Single(BindVerdicts.Read(verdicts.WrittenSpan).Differences).Reason);
    }

    [Fact]
    [Trait("Case", "repair-A10")]
    public void TypeNames_InRefusalsOfTheSerializer_StayOnOneLine()
    {
        var writer = new Slim.SlimSerializer(new Slim.SlimOptions { WriteOldNames = true }
            .Allow<Dog>().Alias("Forged" + Forged, typeof(Dog)));
        byte[] message = writer.Serialize<object>(new Dog());
        var refusal = Assert.ThrowsAny<Slim.SlimException>(
            () => new Slim.SlimSerializer(new Slim.SlimOptions()).Deserialize<object>(message));
        Assert.Contains("forged", refusal.Message, StringComparison.Ordinal);
        CheckOneLine(refusal.Message);
    }

    private static void CheckOneLine(string text)
        => Assert.DoesNotContain(text, one => char.IsControl(one) || one == '\u2028');

    private Task<GlueHost> StartAsync()
        => GlueHost.StartAsync(addServices: glue =>
        {
            glue.Services.AddLogging(logging => logging.AddProvider(_logs.Provider).SetMinimumLevel(LogLevel.Debug));
            GlueHost.AddSemanticServices(glue);
        });
}
