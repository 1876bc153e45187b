using Cluster.Glue.Settings;

namespace Cluster.Glue.Tests.Settings;

/// <summary>Times that nobody has chosen are longer under a debugger. Acceptance case 38.</summary>
public sealed class DebuggerTimeoutsTests
{
    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 60)]
    [Trait("Case", "glue-38")]
    public void Defaults_AreStretched_WhileADebuggerIsAttached(bool isDebugged, int factor)
    {
        var client = new ClientSettings(new GlueClientOptions { IsDebugged = isDebugged });
        Assert.Equal(GlueLimits.DefaultDeadline * factor, client.Deadline);
        Assert.Equal(GlueLimits.ConnectTimeout * factor, client.ConnectTimeout);
        Assert.Equal(GlueLimits.HeartbeatInterval * factor, client.HeartbeatInterval);
        Assert.Equal(GlueLimits.ResumeWindow * factor, client.ResumeWindow);
        var server = new ServerSettings(new GlueServerOptions { IsDebugged = isDebugged });
        Assert.Equal(GlueLimits.DefaultDeadline * factor, server.Deadline);
        Assert.Equal(GlueLimits.ConnectTimeout * factor, server.HandshakeTimeout);
        Assert.Equal(GlueLimits.HeartbeatInterval * factor, server.HeartbeatInterval);
        Assert.Equal(GlueLimits.ResumeWindow * factor, server.ResumeWindow);
    }

    [Fact]
    [Trait("Case", "glue-38")]
    public void ChosenTimes_StayAsTheyAre()
    {
        var chosen = TimeSpan.FromSeconds(3);
        var client = new ClientSettings(new GlueClientOptions { IsDebugged = true, DefaultDeadline = chosen });
        Assert.Equal(chosen, client.Deadline);
        var server = new ServerSettings(new GlueServerOptions { IsDebugged = true, HeartbeatInterval = chosen });
        Assert.Equal(chosen, server.HeartbeatInterval);
        Assert.Equal(System.Diagnostics.Debugger.IsAttached, new GlueClientOptions().IsDebugged);
        Assert.Equal(System.Diagnostics.Debugger.IsAttached, new GlueServerOptions().IsDebugged);
    }
}
