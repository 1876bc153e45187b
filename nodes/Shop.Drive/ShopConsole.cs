#pragma warning disable RS0030 // The one place of this program that touches the console; everybody else is given this.
using Spectre.Console;

namespace Shop.Drive;

/// <summary>Where this program prints and what it is typed. Results go to standard output, everything else to standard
/// error, so that output can be piped. Stateless besides the console itself.</summary>
internal sealed class ShopConsole
{
    /// <summary>Whether somebody looks at this terminal and can press keys.</summary>
    public bool IsInteractive { get; } = !Console.IsInputRedirected && !Console.IsOutputRedirected;

    /// <summary>Standard output.</summary>
    public TextWriter Out { get; } = Console.Out;

    /// <summary>Standard error.</summary>
    public TextWriter Error { get; } = Console.Error;

    /// <summary>The console as the live view draws on it: the terminal, unless a test gives another.</summary>
    public IAnsiConsole Screen { get => field ?? AnsiConsole.Console; init; }

    /// <summary>Takes the key that was pressed last, if any; only in an interactive terminal.</summary>
    public char? TryReadKey()
    {
        if (!IsInteractive || !Console.KeyAvailable)
            return null;

        return char.ToLowerInvariant(Console.ReadKey(intercept: true).KeyChar);
    }
}
