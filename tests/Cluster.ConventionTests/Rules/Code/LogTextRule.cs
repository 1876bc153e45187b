using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>Each text or exception passes through <c>LogText.Clean</c> before a generated log method gets it. A line
/// break from a peer or a service could otherwise forge a log entry. Literals need no cleaning.</summary>
internal sealed class LogTextRule : IRule
{
    public string Name => "log-text";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        foreach (var parts in repository.Production.GroupBy(source => (source.Project.Folder, TypeNameOf(source))))
        {
            var methods = parts.SelectMany(LogMethodsOf).ToDictionary(method => method.Identifier.Text);
            foreach (var source in methods.Count == 0 ? [] : parts.AsEnumerable())
            {
                foreach (var method in LogMethodsOf(source).Where(IsReachedFromElsewhere))
                    yield return source.At(method, $"{method.Identifier.Text} takes texts, so it is private");

                foreach (var argument in Calls(source, methods).Where(argument => !IsClean(argument.Expression)))
                    yield return source.At(argument, $"{argument} reaches the log without LogText.Clean");
            }
        }
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        Of("private partial void LogA(string text);", "void M(string peer) => LogA(peer);"),
        Of("private partial void LogA(ILogger l, int n, Exception? e);", "void M(Exception e) => LogA(L, 1, e);"),
        Of("private partial void LogA(string text);", "void M(string x) { var clean = x; LogA(clean); }"),
        Of("public partial void LogA(string text);", ""),
    ];

    private static RepositorySnapshot Of(string method, string caller) => RepositorySnapshot.Of(
        ("contracts/Cluster.Slim/Cluster.Slim.csproj", "<Project/>"),
        ("contracts/Cluster.Slim/Sample.cs", $"partial class Sample {{ {caller} }}"),
        ("contracts/Cluster.Slim/Sample.Log.cs", $"partial class Sample {{ [LoggerMessage(2000, X)] {method} }}"));

    private static string TypeNameOf(SourceFile source) =>
        source.Name.EndsWith(".Log", StringComparison.Ordinal) ? source.Name[..^".Log".Length] : source.Name;

    private static IEnumerable<MethodDeclarationSyntax> LogMethodsOf(SourceFile source) => source.Root.DescendantNodes()
        .OfType<MethodDeclarationSyntax>()
        .Where(method => method.AttributeLists.SelectMany(list => list.Attributes)
            .Any(attribute => attribute.Name.ToString() is "LoggerMessage" or "LoggerMessageAttribute"));

    private static bool IsReachedFromElsewhere(MethodDeclarationSyntax method) =>
        method.Modifiers.Any(modifier => modifier.Text is "public" or "internal")
        && method.ParameterList.Parameters.Any(IsText);

    private static bool IsText(ParameterSyntax parameter) =>
        parameter.Type?.ToString().TrimEnd('?') is "string" or "Exception";

    private static IEnumerable<ArgumentSyntax> Calls(
        SourceFile source, Dictionary<string, MethodDeclarationSyntax> methods) =>
        from call in source.Root.DescendantNodes().OfType<InvocationExpressionSyntax>()
        let method = methods.GetValueOrDefault(call.Expression.ToString())
        where method is not null
        from argument in call.ArgumentList.Arguments.Where((_, at) => IsText(method.ParameterList.Parameters[at]))
        select argument;

    private static bool IsClean(ExpressionSyntax expression) => expression switch
    {
        LiteralExpressionSyntax => true,
        InvocationExpressionSyntax call => call.Expression.ToString() == "LogText.Clean",
        IdentifierNameSyntax name => LocalOf(name)?.Initializer?.Value is InvocationExpressionSyntax made
            && made.Expression.ToString() == "LogText.Clean",
        _ => false,
    };

    private static VariableDeclaratorSyntax? LocalOf(IdentifierNameSyntax name) =>
        name.FirstAncestorOrSelf<MethodDeclarationSyntax>()?.DescendantNodes().OfType<VariableDeclaratorSyntax>()
            .FirstOrDefault(local => local.Identifier.Text == name.Identifier.Text);
}
