using Grpc.Core;

namespace Cluster.SystemTests.Interop;

/// <summary>The behaviour of a stock server besides its answers. Immutable.</summary>
internal sealed record StockServerPlan
{
    /// <summary>How long the server keeps a link that has no stream; 0: a link ends with its stream.</summary>
    public int WindowMilliseconds { get; private init; }

    /// <summary>It ends each further stream after this number of messages; null: none.</summary>
    public int? CutAfter { get; private init; }

    /// <summary>The status with which the server refuses every call; null: it serves.</summary>
    public StatusCode? Refusal { get; private init; }

    public bool Compresses { get; private init; }

    /// <summary>Reads the arguments. The servers of all languages take the same ones.</summary>
    public static StockServerPlan Parse(string[] arguments)
    {
        var plan = new StockServerPlan();
        for (var i = 0; i < arguments.Length; i++)
        {
            plan = arguments[i] switch
            {
                "--window" => plan with { WindowMilliseconds = NumberOf(arguments[++i]) },
                "--cut" => plan with { CutAfter = NumberOf(arguments[++i]) },
                "--refuse" => plan with { Refusal = StatusOf(arguments[++i]) },
                "--compress" => plan with { Compresses = true },
                _ => throw new ArgumentException($"{arguments[i]} is not known.", nameof(arguments)),
            };
        }

        return plan;
    }

    private static int NumberOf(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    private static StatusCode StatusOf(string name) =>
        Enum.Parse<StatusCode>(name.Replace("_", "", StringComparison.Ordinal), ignoreCase: true);
}
