using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>Log event ids are literals, are unique in the repository, belong to the range of their project, and are in
/// X.Log.cs files.</summary>
internal sealed class LogEventRule : IRule
{
    private static readonly Dictionary<string, int> FirstIds = new()
    {
        ["Cluster.Glue"] = 1000,
        ["Cluster.Slim"] = 2000,
        ["Cluster.Pile"] = 3000,
        ["Cluster.StateStore"] = 4000,
        ["Cluster.Nodes"] = 5000,
        ["Cluster.Nodes.AspNetCore"] = 6000,
        ["Cluster.Nodes.Consul"] = 5000,
        ["Cluster.Nodes.Storage"] = 7000,
        ["Shop"] = 9000,
    };

    public string Name => "log-events";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        var owners = new Dictionary<int, string>();
        foreach (var source in repository.Production)
        {
            foreach (var attribute in LogAttributesOf(source))
            {
                var id = IdOf(attribute);
                if (ProblemOf(source, id, owners) is { } problem)
                    yield return source.At(attribute, problem);

                if (id is not null)
                    owners.TryAdd(id.Value, source.Path);
            }
        }
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        Log("[LoggerMessage(2000, Level = W)] partial void A(); [LoggerMessage(2000, Level = W)] partial void B();"),
        Log("[LoggerMessage(EventId = 1000, Level = LogLevel.Warning)] partial void A();"),
        Log("[LoggerMessage(Level = LogLevel.Warning)] partial void A();"),
        RepositorySnapshot.OfSource("partial class Sample { [LoggerMessage(2000, Level = W)] partial void A(); }"),
    ];

    private static RepositorySnapshot Log(string members) => RepositorySnapshot.Of(
        ("contracts/Cluster.Slim/Cluster.Slim.csproj", "<Project/>"),
        ("contracts/Cluster.Slim/Sample.Log.cs", $"partial class Sample {{ {members} }}"));

    private static string? ProblemOf(SourceFile source, int? id, Dictionary<int, string> owners)
    {
        if (!source.Path.EndsWith("Log.cs", StringComparison.Ordinal))
            return "log messages stand in the X.Log.cs part of their type, or in a class that is all log messages";

        if (id is null)
            return "a log message needs a literal event id";

        var first = FirstIds.GetValueOrDefault(source.Project.Name, -1);
        if (id < first || id > first + 999)
            return $"event id {id} is outside of {first}..{first + 999}";

        return owners.TryGetValue(id.Value, out var other) ? $"event id {id} is taken by {other}" : null;
    }

    private static IEnumerable<AttributeSyntax> LogAttributesOf(SourceFile source) => source.Root.DescendantNodes()
        .OfType<AttributeSyntax>()
        .Where(attribute => attribute.Name.ToString() is "LoggerMessage" or "LoggerMessageAttribute");

    private static int? IdOf(AttributeSyntax attribute)
    {
        var arguments = attribute.ArgumentList?.Arguments ?? default;
        var named = arguments.FirstOrDefault(
            argument =>
                argument.NameEquals?.Name.ToString() == "EventId" || argument.NameColon?.Name.ToString() == "eventId");
        var expression = (named ?? arguments.FirstOrDefault(argument => argument.NameEquals is null))?.Expression;
        return int.TryParse(expression?.ToString(), CultureInfo.InvariantCulture, out var id) ? id : null;
    }
}
