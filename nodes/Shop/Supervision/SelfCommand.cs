using System.Diagnostics;

namespace Shop.Supervision;

/// <summary>How to start this same program again with other arguments. Stateless.</summary>
internal static class SelfCommand
{
    public static ProcessStartInfo With(IEnumerable<string> arguments)
    {
        var program = Environment.ProcessPath
            ?? throw new InvalidOperationException("The path of this program is unknown.");
        var isHost = Path.GetFileNameWithoutExtension(program).Equals("dotnet", StringComparison.OrdinalIgnoreCase);

        // Started as `dotnet Shop.dll`, the running program is the runtime, and the assembly is its first argument.
        var all = isHost
            ? ["exec", typeof(SelfCommand).Assembly.Location, .. arguments]
            : arguments;
        return new ProcessStartInfo(program, all) { UseShellExecute = false };
    }
}
