using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Cluster.Analyzers.Operations;

/// <summary>Recognizes uses of clocks and of random numbers. Stateless.</summary>
internal static class ForbiddenSources
{
    private const string Time = "the context's UtcNow";
    private const string Chance = "one generator from the context's CreateRandom()";
    private const string Generator = "System.Random";
    private const string Identity = "an id that the caller gives to the operation";

    private static readonly Dictionary<string, ForbiddenSource> Members = new ForbiddenSource[]
    {
        new("System.DateTimeOffset.UtcNow", Time, "UtcNow"),
        new("System.DateTime.UtcNow", Time, "UtcNow.UtcDateTime"),
        new("System.DateTimeOffset.Now", Time),
        new("System.DateTime.Now", Time),
        new("System.DateTime.Today", Time),
        new("System.Environment.TickCount", Time),
        new("System.Environment.TickCount64", Time),
        new("System.TimeProvider.System", Time),
        new("System.Diagnostics.Stopwatch.GetTimestamp", Time),
        new("System.Diagnostics.Stopwatch.StartNew", Time),
        new("System.Random.Shared", Chance),
        new("System.Guid.NewGuid", Identity),
        new("System.Guid.CreateVersion7", Identity),
        new("System.Security.Cryptography.RandomNumberGenerator.GetInt32", Chance),
        new("System.Security.Cryptography.RandomNumberGenerator.GetBytes", Chance),
        new("System.Security.Cryptography.RandomNumberGenerator.Fill", Chance),
    }.ToDictionary(static source => source.Name);

    private static readonly HashSet<string> Names =
        [.. Members.Keys.Select(static name => name.Substring(name.LastIndexOf('.') + 1))];

    private static readonly ForbiddenSource Unseeded = new("System.Random without a seed", Chance, "CreateRandom()");

    /// <summary>Finds the source that an operation of the compiler uses; null if it uses none.</summary>
    public static ForbiddenSource? Find(IOperation operation) => operation switch
    {
        IPropertyReferenceOperation { Instance: null } read => Find(read.Property),
        IInvocationOperation { Instance: null } call => Find(call.TargetMethod),
        IObjectCreationOperation { Arguments.Length: 0 } made when SymbolNames.Is(made.Type, Generator) => Unseeded,
        _ => null,
    };

    private static ForbiddenSource? Find(ISymbol member) =>
        Names.Contains(member.Name)
        && Members.TryGetValue($"{SymbolNames.Of(member.ContainingType)}.{member.Name}", out var source)
            ? source
            : null;
}
