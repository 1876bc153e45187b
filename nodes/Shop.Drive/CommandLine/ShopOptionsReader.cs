using System.CommandLine;
using Shop.Drive.Load;
using Shop.Drive.Supervision;

namespace Shop.Drive.CommandLine;

/// <summary>Turns the texts of a command line into options and collects all problems. Each command line has its own
/// reader.</summary>
internal sealed class ShopOptionsReader
{
    private const int SecondsMax = 24 * 60 * 60;
    private const int ClusterNameLengthMax = 64;

    private readonly ParseResult _parsed;
    private readonly List<string> _problems;

    private ShopOptionsReader(ParseResult parsed)
    {
        _parsed = parsed;
        _problems = [.. parsed.Errors.Select(static error => error.Message)];
    }

    public static ParsedOptions Read(ShopCommand command, ParseResult parsed)
    {
        var reader = new ShopOptionsReader(parsed);
        var options = reader.ReadAll(command);
        reader.CheckTogether(options);
        return new ParsedOptions(reader._problems.Count == 0 ? options : null, [.. reader._problems.Distinct()]);
    }

    private ShopOptions ReadAll(ShopCommand command) => new()
    {
        IsHeadless = _parsed.GetValue(command.Headless),
        IsJson = _parsed.GetValue(command.Json),
        Duration = ReadSeconds(command.Seconds),
        KillAfter = ReadSeconds(command.KillAfter),
        NodeCount = ReadNumber(command.Nodes, 1, ShopOptions.NodeCountMax) ?? ShopOptions.NodeCountDefault,
        ConsulAddress = ReadAddress(command.Consul),
        ClusterName = ReadName(command.Name),
        DataFolder = TextOf(command.Data),
        Port = ReadNumber(command.Port, 1, ushort.MaxValue),
        CallerCount = ReadNumber(command.Callers, LoadPlan.CallerCountMin, LoadPlan.CallerCountMax)
            ?? LoadPlan.CallerCountDefault,
        SessionCount = ReadNumber(command.Sessions, 1, LoadPlan.SessionCountMax) ?? LoadPlan.SessionCountDefault,
    };

    private void CheckTogether(ShopOptions options)
    {
        if (options is { IsJson: true, IsHeadless: false })
            _problems.Add("--json needs --headless.");

        if (options is { ConsulAddress: not null, DataFolder: not null })
            _problems.Add("--data is for the file store: use it without --consul.");

        if (options.KillAfter is { } kill && kill >= (options.Duration ?? TimeSpan.MaxValue))
            _problems.Add("--kill-after must be less than --seconds.");
    }

    private TimeSpan? ReadSeconds(Option<string?> option) =>
        ReadNumber(option, 1, SecondsMax) is { } seconds ? TimeSpan.FromSeconds(seconds) : null;

    private int? ReadNumber(Option<string?> option, int min, int max)
    {
        if (TextOf(option) is not { } text)
            return null;

        var isNumber = int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number);
        if (!isNumber || number < min || number > max)
        {
            _problems.Add($"{option.Name} is '{text}', but must be a whole number from {min} to {max}.");
            return null;
        }

        return number;
    }

    private Uri? ReadAddress(Option<string?> option)
    {
        if (TextOf(option) is not { } text)
            return null;

        var isAddress = Uri.TryCreate(text, UriKind.Absolute, out var address);
        if (!isAddress || (address!.Scheme != Uri.UriSchemeHttp && address.Scheme != Uri.UriSchemeHttps))
        {
            _problems.Add($"{option.Name} is '{text}', but must be an address such as http://127.0.0.1:8500.");
            return null;
        }

        return address;
    }

    private string ReadName(Option<string?> option)
    {
        var name = TextOf(option) ?? ClusterPlace.NameDefault;
        if (name.Length is 0 or > ClusterNameLengthMax
            || !name.All(static letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '_' or '.'))
        {
            _problems.Add($"{option.Name} is '{name}', but must be made of at most {ClusterNameLengthMax} letters, "
                + "digits, '-', '_' and '.'.");
        }

        return name;
    }

    // An option that is given twice or has no value is already reported as a problem, and GetValue would throw for it.
    private string? TextOf(Option<string?> option) =>
        _parsed.GetResult(option) is { Errors: var errors } && !errors.Any() ? _parsed.GetValue(option) : null;
}
