#pragma warning disable RS0030 // The one place of this program that touches the console; everybody else is given this.
using Spectre.Console;

namespace Shop.Drive;

/// <summary>The input and output of this program. Results go to standard output, everything else to standard error, so
/// that output can be piped. Keeps no state of its own.</summary>
internal sealed class ShopConsole
{
    /// <summary>Whether a user can see this terminal and press keys.</summary>
    public bool IsInteractive { get; } = !Console.IsInputRedirected && !Console.IsOutputRedirected;

    public TextWriter Out { get; } = Console.Out;

    public TextWriter Error { get; } = Console.Error;

    /// <summary>The console on which the live view draws: the terminal, unless a test sets another.</summary>
    public IAnsiConsole Screen { get => field ?? AnsiConsole.Console; init; }

    /// <summary>Returns the next key that was pressed, in lower case. Returns <c>null</c> if no key was pressed or the
    /// terminal is not interactive.</summary>
    public char? TryReadKey()
    {
        if (!IsInteractive || !Console.KeyAvailable)
            return null;

        return char.ToLowerInvariant(Console.ReadKey(intercept: true).KeyChar);
    }
}
