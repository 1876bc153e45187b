using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Shop.Drive.CommandLine;
using Shop.Drive.Front;
using Shop.Drive.Supervision;
using Shop.Drive.Web;
using Spectre.Console;

namespace Shop.Drive.Tests.Front;

/// <summary>The log of the front while the live view draws. The tests capture both outputs.</summary>
public sealed class FrontLogTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(500);

    [Fact]
    [Trait("Case", "repair-D")]
    public async Task LiveView_WhileItDraws_HoldsTheLogOfTheFrontBelowItself()
    {
        using var errors = new StringWriter();
        using var screen = new CapturedText();
        using var log = new FrontLog(errors);
        using var port = PagePort.Open(null);
        using var folder = DataFolder.Open(null);
        await using var app = FrontHost.Build(
            Options(), new ClusterPlace("shop", folder.Path, ConsulAddress: null), port, log);
        var logger = app.Services.GetRequiredService<ILoggerFactory>().CreateLogger("Cluster.Glue");
        var time = new ManualTimeProvider();
        var console = new ShopConsole { Screen = Terminal(screen) };
        using var stop = new CancellationTokenSource();
        Warn(logger, "before the view");
        Assert.Contains("before the view", errors.ToString(), StringComparison.Ordinal);

        var view = new LiveView(console, log, "http://localhost:1", time);
        var showing = Task.Run(() => view.ShowAsync(() => TestFigures.Two, new NoControl(), stop.Token));
        await Eventually.TrueAsync(() => time.ArmedTimerCount > 0, Bound);
        Warn(logger, "the node n2 is away");
        await Eventually.TrueAsync(
            () =>
            {
                time.Advance(Step);
                return screen.ToString().Contains("the node n2 is away", StringComparison.Ordinal);
            },
            Bound);

        Assert.DoesNotContain("n2 is away", errors.ToString(), StringComparison.Ordinal);
        await stop.CancelAsync();
        await showing.WaitAsync(Bound);
        Assert.Contains("the node n2 is away", errors.ToString(), StringComparison.Ordinal);
        Assert.Same(log, Assert.Single(app.Services.GetServices<ILoggerProvider>()));
    }

    [Fact]
    public void Held_MoreThanTheBound_DropsTheOldestAndSaysHowMany()
    {
        using var errors = new StringWriter(CultureInfo.InvariantCulture);
        using var log = new FrontLog(errors);
        var logger = log.CreateLogger("Shop");
        log.Hold();
        for (var index = 0; index < FrontLog.HeldLineCountMax + 2; index++)
            Warn(logger, $"entry {index}");

        log.Release();

        var lines = errors.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(FrontLog.HeldLineCountMax + 1, lines.Length);
        Assert.StartsWith("2 older lines", lines[0], StringComparison.Ordinal);
        Assert.EndsWith("entry 2", lines[1], StringComparison.Ordinal);
        Assert.Empty(log.Newest(1));
    }

    private static IAnsiConsole Terminal(TextWriter output) => AnsiConsole.Create(new AnsiConsoleSettings
    {
        Ansi = AnsiSupport.Yes,
        Interactive = InteractionSupport.Yes,
        Out = new AnsiConsoleOutput(output),
    });

    private static ShopOptions Options() => new()
    {
        IsHeadless = false,
        IsJson = false,
        Duration = null,
        KillAfter = null,
        NodeCount = 1,
        ConsulAddress = null,
        ClusterName = "shop",
        DataFolder = null,
        Port = null,
        CallerCount = 1,
        SessionCount = 1,
    };

    /// <summary>Captures written text. Other threads may read it while some write. A private lock protects
    /// it.</summary>
    private sealed class CapturedText : TextWriter
    {
        private readonly Lock _lock = new();
        private readonly StringBuilder _text = new();

        public override Encoding Encoding => Encoding.UTF8;

        public override void Write(char value)
        {
            lock (_lock)
                _text.Append(value);
        }

        public override string ToString()
        {
            lock (_lock)
                return _text.ToString();
        }
    }

    /// <summary>A control without nodes.</summary>
    private sealed class NoControl : INodeControl
    {
        public int KilledCount => 0;

        public string? Kill(string? name) => null;

        public string? Restart(string? name) => null;

        public string? Pause(string? name) => null;

        public bool RestartAll() => false;
    }

    private static void Warn(ILogger logger, string text) =>
        logger.Log(LogLevel.Warning, default, text, exception: null, static (line, _) => line);
}
