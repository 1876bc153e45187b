using System.Diagnostics;

namespace Cluster.Benchmarks.Glue;

/// <summary>The started peer and its addresses. Disposal ends it by closing its standard input.</summary>
internal sealed class PeerProcess : IDisposable
{
    private readonly Process _process;

    private PeerProcess(Process process, string[] addresses)
    {
        _process = process;
        GlueAddress = addresses[0];
        BareAddress = addresses[1];
        TcpPort = int.Parse(addresses[2], System.Globalization.CultureInfo.InvariantCulture);
    }

    public string GlueAddress { get; }

    public string BareAddress { get; }

    public int TcpPort { get; }

    /// <summary>What the peer has used of the processors so far.</summary>
    public TimeSpan ProcessorTime
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
        }
    }

    public static PeerProcess Start()
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            UseShellExecute = false,
        };
        if (Path.GetFileNameWithoutExtension(start.FileName) == "dotnet")
            start.ArgumentList.Add(typeof(PeerProcess).Assembly.Location);
        start.ArgumentList.Add(GluePeer.Argument);
        Process process = Process.Start(start)!;
        string line = process.StandardOutput.ReadLine()
            ?? throw new InvalidOperationException("The peer did not start.");
        return new PeerProcess(process, line.Split(' '));
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        if (!_process.WaitForExit(5000))
            _process.Kill();
        _process.Dispose();
    }
}
