using System.Net.Sockets;
using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>The file and the folder of a Unix domain socket; calls over one are in the semantic suite.</summary>
[System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
[Trait("Case", "glue-75")]
public sealed class UnixSocketTests
{
    private readonly string _address = SocketPath.New();

    private string FilePath => new Uri(_address).AbsolutePath;

    [RequiresUnixFact]
    public async Task Folder_IsForNobodyElse()
    {
        await using var host = await StartAsync();
        Assert.Equal(_address, host.Address);
        var mode = File.GetUnixFileMode(Path.GetDirectoryName(FilePath)!);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, mode);
    }

    [RequiresUnixFact]
    public async Task FolderThatOthersMayEnter_IsRefused()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(FilePath)!, (UnixFileMode)0b111_101_101);
        var refused = await Assert.ThrowsAsync<GlueListenException>(StartAsync);
        Assert.Contains("0700", refused.Message, StringComparison.Ordinal);
    }

    [RequiresUnixFact]
    [Trait("Case", "repair-D")]
    public async Task FolderThatCannotBeMade_IsRefused_WithTheOptionToSet()
    {
        // Below a file there can be no folder, not even for the superuser.
        File.WriteAllText(Path.GetDirectoryName(FilePath)!, "");
        var refused = await Assert.ThrowsAsync<GlueListenException>(StartAsync);
        Assert.Contains(FilePath, refused.Message, StringComparison.Ordinal);
        Assert.Contains("Set Glue:Server:ListenAddress to", refused.Message, StringComparison.Ordinal);
        File.Delete(Path.GetDirectoryName(FilePath)!);
    }

    [RequiresUnixFact]
    public async Task FileThatAKilledProcessLeft_IsReplaced_AndOneInUseIsNot()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(FilePath)!, (UnixFileMode)0b111_000_000);
        using (var left = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified))
        {
            // Moved, because a socket that is disposed of removes its file; a process that is killed does not.
            left.Bind(new UnixDomainSocketEndPoint(FilePath + "0"));
            File.Move(FilePath + "0", FilePath);
        }

        Assert.True(File.Exists(FilePath));
        await using var host = await StartAsync();
        var used = await Assert.ThrowsAsync<GlueListenException>(StartAsync);
        Assert.Contains("in use", used.Message, StringComparison.Ordinal);
        await using var client = new GlueClient();
        Assert.Equal(2, await client.CreateProxy<IShapes>(_address).TwiceAsync(1));
    }

    /// <summary>Another program may have bound a socket of datagrams to the path. A connect to it fails, but not because
    /// its process was killed.</summary>
    [RequiresUnixFact]
    public async Task SocketOfAnotherKind_IsLeftAsItIs_AndRefused()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(FilePath)!, (UnixFileMode)0b111_000_000);
        using var other = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        other.Bind(new UnixDomainSocketEndPoint(FilePath));
        var refused = await Assert.ThrowsAsync<GlueListenException>(StartAsync);
        Assert.Contains("is not known", refused.Message, StringComparison.Ordinal);
        Assert.Contains("Set Glue:Server:ListenAddress to", refused.Message, StringComparison.Ordinal);
        Assert.True(File.Exists(FilePath));
    }

    /// <summary>A listener that takes no connections, because its process is busy, still listens.</summary>
    [RequiresUnixFact]
    public async Task ListenerWhoseQueueIsFull_IsInUse()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(FilePath)!, (UnixFileMode)0b111_000_000);
        using var busy = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        busy.Bind(new UnixDomainSocketEndPoint(FilePath));
        busy.Listen(0);
        List<Socket> waiting = [];
        try
        {
            while (TryQueue(waiting))
                Assert.InRange(waiting.Count, 0, 100);

            var used = await Assert.ThrowsAsync<GlueListenException>(
                () => Task.Run(StartAsync).WaitAsync(TimeSpan.FromMinutes(1)));
            Assert.Contains("in use", used.Message, StringComparison.Ordinal);
        }
        finally
        {
            waiting.ForEach(static socket => socket.Dispose());
        }
    }

    /// <summary>A path that names something else by mistake costs nobody his data.</summary>
    [RequiresUnixFact]
    [Trait("Case", "repair-A7")]
    public async Task FileThatIsNoSocket_IsLeftAsItIs_AndNamed()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(FilePath)!, (UnixFileMode)0b111_000_000);
        await File.WriteAllTextAsync(FilePath, "dear data");
        await CheckLeftAsync();
        Assert.Equal("dear data", await File.ReadAllTextAsync(FilePath));
        await File.WriteAllTextAsync(FilePath, "");
        await CheckLeftAsync();
        File.SetUnixFileMode(FilePath, UnixFileMode.None);
        await CheckLeftAsync();
        Assert.True(File.Exists(FilePath));
        File.Delete(FilePath);
        Directory.CreateDirectory(FilePath);
        await CheckLeftAsync();
        Assert.True(Directory.Exists(FilePath));
    }

    [RequiresUnixFact]
    [Trait("Case", "repair-A7")]
    public async Task LinkToAFile_IsLeftAsItIs()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(FilePath)!, (UnixFileMode)0b111_000_000);
        await File.WriteAllTextAsync(FilePath + "1", "dear data");
        File.CreateSymbolicLink(FilePath, FilePath + "1");
        await CheckLeftAsync();
        Assert.Equal("dear data", await File.ReadAllTextAsync(FilePath));
    }

    [RequiresUnixFact]
    public async Task NobodyListens_IsUnreachable()
    {
        await using var client = new GlueClient();
        var failure = await Assert.ThrowsAsync<GlueException>(
            () => client.CreateProxy<IShapes>(_address).TwiceAsync(1));
        Assert.Equal((GlueErrorCode.ConnectFailed, GlueDelivery.NotDelivered), (failure.Code, failure.Delivery));
    }

    private bool TryQueue(List<Socket> waiting)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false };
        waiting.Add(socket);
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(FilePath));
            return true;
        }
        catch (SocketException full) when (full.SocketErrorCode == SocketError.WouldBlock)
        {
            return false;
        }
    }

    private Task<GlueHost> StartAsync() => GlueHost.StartAsync(options => options.ListenAddress = _address);

    private async Task CheckLeftAsync()
    {
        var refused = await Assert.ThrowsAsync<GlueListenException>(StartAsync);
        Assert.Contains("no socket", refused.Message, StringComparison.Ordinal);
        Assert.Contains("Glue:Server:ListenAddress", refused.Message, StringComparison.Ordinal);
    }
}
